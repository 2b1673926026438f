package io.elastune.provisioner.gcp.fake;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The permissions of the caller of a bucket.
 *
 * @see <a href="https://cloud.google.com/storage/docs/access-control/iam-xml">The permissions that
 *     each method of the XML interface requires</a>
 */
public final class StoragePermissions {
  private static final String CREATE = "storage.objects.create";
  private static final String DELETE = "storage.objects.delete";
  private static final String UPLOAD = "storage.multipartUploads.create";

  private final Set<String> denied = new ConcurrentSkipListSet<>();
  private final Set<String> used = new ConcurrentSkipListSet<>();
  private volatile Optional<Set<String>> granted = Optional.empty();

  /** Grants only these permissions from now on, and forgets the earlier calls. */
  public void grant(Set<String> permissions) {
    granted = Optional.of(Set.copyOf(permissions));
    denied.clear();
    used.clear();
  }

  /** Returns the permissions that a call lacked. */
  public Set<String> denied() {
    return Set.copyOf(denied);
  }

  /** Returns the permissions that the permitted calls have used. */
  public Set<String> used() {
    return Set.copyOf(used);
  }

  /** Returns whether a call is permitted; {@code exists} says whether its object does. */
  boolean allow(String method, String name, Map<String, String> query, boolean exists) {
    List<String> required = required(method, name, query, exists);
    List<String> missing =
        required.stream()
            .filter(permission -> granted.map(all -> !all.contains(permission)).orElse(false))
            .toList();
    denied.addAll(missing);
    if (missing.isEmpty()) {
      used.addAll(required);
    }
    return missing.isEmpty();
  }

  /** An upload in parts needs its own permissions, and to replace an object that of its removal. */
  private static List<String> required(
      String method, String name, Map<String, String> query, boolean exists) {
    boolean part = query.containsKey("uploadId");
    if (name.isEmpty()) {
      return List.of(
          query.containsKey("uploads") ? "storage.multipartUploads.list" : "storage.objects.list");
    }
    return switch (method) {
      case "GET" -> List.of("storage.objects.get");
      case "POST" -> part && exists ? List.of(UPLOAD, CREATE, DELETE) : List.of(UPLOAD, CREATE);
      case "PUT" ->
          part ? List.of(UPLOAD, CREATE) : exists ? List.of(CREATE, DELETE) : List.of(CREATE);
      default -> List.of(part ? "storage.multipartUploads.abort" : DELETE);
    };
  }
}
