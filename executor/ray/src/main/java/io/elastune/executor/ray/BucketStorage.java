package io.elastune.executor.ray;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.ray.NodeCheckpoints.Listing;
import io.elastune.executor.ray.NodeCheckpoints.NodeCheckpoint;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStore.StoredObject;
import io.elastune.provisioner.ObjectStore.UnfinishedUpload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stores the checkpoints of one trial in a bucket, one archive each. Nodes transfer them with
 * signed URLs. Every archive is complete: its node checks the checkpoint before, and an upload in
 * parts exists once the controller has completed it.
 */
final class BucketStorage implements CheckpointStorage {
  private static final Pattern UNIT = Pattern.compile("([1-9][0-9]{0,8})\\.tar");

  private final CheckpointLocation location;
  private final TransferContext context;
  private final Buckets buckets;
  private final NodeCheckpoints nodes;
  private final Set<Integer> known = new ConcurrentSkipListSet<>();

  /** Units whose archives are not those of the journal. */
  private final Set<Integer> rejected = new ConcurrentSkipListSet<>();

  /** The archive of another trial that this one starts from. */
  private volatile Optional<InheritedArchive> inherited = Optional.empty();

  private record InheritedArchive(int unit, CheckpointLocation parent) {}

  BucketStorage(
      AttemptSpec spec, CheckpointLocation location, TransferContext context, Buckets buckets) {
    this.location = location;
    this.context = context;
    this.buckets = buckets;
    nodes = new NodeCheckpoints(context.link(), spec.trial(), "");
    if (spec.from() > 0) {
      known.add(spec.from()); // if not, its transfer fails
    }
  }

  private ObjectStore bucket() {
    return buckets.bucket(location);
  }

  private String name(int unit) {
    return location.resolve(unit + CheckpointLocation.ARCHIVE).name();
  }

  /** Returns the archive from which a node gets a checkpoint. */
  private CheckpointLocation source(int unit) {
    return inherited
        .filter(archive -> archive.unit() == unit)
        .map(InheritedArchive::parent)
        .orElse(location)
        .resolve(unit + CheckpointLocation.ARCHIVE);
  }

  private String archive(int unit) {
    return location.resolve(unit + CheckpointLocation.ARCHIVE).text();
  }

  @Override
  public String location() {
    return location.text();
  }

  @Override
  public String nodeFolder() {
    return nodes.folder();
  }

  @Override
  public CompletableFuture<Listing> list(String lease) {
    return nodes.list(lease);
  }

  @Override
  public CompletableFuture<Boolean> collect(String lease, NodeCheckpoint checkpoint) {
    int unit = checkpoint.unit();
    if (buckets.manifest(archive(unit)).filter(checkpoint.manifest()::equals).isPresent()) {
      return CompletableFuture.completedFuture(false);
    }
    return new BucketTransfer(context, buckets.transfers(), nodes, this::bucket)
        .upload(lease, unit, name(unit))
        .thenApply(
            uploaded -> {
              buckets.stored(archive(unit), checkpoint.manifest());
              known.add(unit);
              rejected.remove(unit);
              return true;
            });
  }

  @Override
  public CompletableFuture<Boolean> place(String lease, int unit) {
    return nodes.place(
        lease,
        unit,
        () -> buckets.manifest(source(unit).text()).orElse(""),
        () ->
            new BucketTransfer(context, buckets.transfers(), nodes, this::bucket)
                .download(lease, unit, source(unit).name()));
  }

  @Override
  public CompletableFuture<Void> tidy(String lease, int keep) {
    return nodes.tidy(lease, keep);
  }

  /**
   * Nothing is copied in the bucket: nodes get the other trial's archive, which is kept for them.
   */
  @Override
  public Optional<String> inherit(CheckpointLocation parent, int unit) {
    try {
      boolean own = bucket().find(name(unit)).isPresent();
      String wanted = parent.resolve(unit + CheckpointLocation.ARCHIVE).name();
      boolean found = !own && bucket().find(wanted).isPresent();
      inherited = found ? Optional.of(new InheritedArchive(unit, parent)) : Optional.empty();
      return Optional.empty();
    } catch (CloudException e) {
      return Optional.of(
          "checkpoint " + unit + " of " + parent.text() + " not found: " + e.getMessage());
    }
  }

  /**
   * The digest of an archive is its tag. One that was replaced is not used, and stays until the
   * trial saves this unit again: who replaced it may still need it.
   */
  @Override
  public Optional<String> reject(int unit, String digest) {
    try {
      Optional<StoredObject> stored = bucket().find(source(unit).name());
      if (stored.filter(object -> !digest.equals(object.tag())).isEmpty()) {
        return Optional.empty();
      }
      inherited = Optional.empty();
      known.remove(unit);
      rejected.add(unit);
      buckets.deleted(archive(unit));
      return Optional.of(CheckpointStore.replaced(unit));
    } catch (CloudException e) {
      return Optional.of(
          "checkpoint " + unit + " could not be compared with the journal: " + e.getMessage());
    }
  }

  @Override
  public CleanupResult cleanUp(int keep, Set<Integer> needed, int limit) {
    try {
      return tryCleanUp(keep, needed, limit);
    } catch (CloudException e) {
      List<Integer> left = known.stream().filter(unit -> unit <= limit).toList();
      return new CleanupResult(
          reversed(left), false, List.of("old checkpoints were not deleted: " + e.getMessage()));
    }
  }

  private CleanupResult tryCleanUp(int keep, Set<Integer> needed, int limit) {
    ObjectStore bucket = bucket();
    String folder = location.name() + "/";
    for (UnfinishedUpload upload : bucket.unfinishedUploads(folder)) {
      bucket.abortUpload(upload.name(), upload.upload());
    }
    TreeSet<Integer> units = new TreeSet<>(Collections.reverseOrder());
    Map<Integer, String> tags = new HashMap<>();
    for (StoredObject object : bucket.list(folder)) {
      Matcher unit = UNIT.matcher(object.name().substring(folder.length()));
      if (unit.matches()) {
        units.add(Integer.parseInt(unit.group(1)));
        tags.put(Integer.parseInt(unit.group(1)), object.tag());
      }
    }
    List<Integer> complete = new ArrayList<>();
    List<Integer> unreported =
        units.descendingSet().stream().filter(u -> u > limit).limit(Math.max(1, keep)).toList();
    for (int unit : units) {
      if (rejected.contains(unit)) {
        continue;
      }
      boolean enough = complete.size() >= Math.max(1, keep) && !needed.contains(unit);
      if (unit <= limit && !enough) {
        complete.add(unit);
        continue;
      }
      if (unreported.contains(unit) || needed.contains(unit)) {
        continue;
      }
      bucket.delete(name(unit));
      buckets.deleted(archive(unit));
      known.remove(unit);
    }
    inherited
        .map(InheritedArchive::unit)
        .filter(unit -> unit <= limit && !complete.contains(unit))
        .ifPresent(complete::add);
    complete.sort(Collections.reverseOrder());
    tags.keySet().retainAll(complete);
    tags.values().removeIf(String::isEmpty);
    return new CleanupResult(complete, false, List.of(), unreported, tags);
  }

  private static List<Integer> reversed(List<Integer> units) {
    return units.stream().sorted(Collections.reverseOrder()).toList();
  }

  @Override
  public boolean isFull() {
    return false;
  }
}
