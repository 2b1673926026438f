package io.elastune.executor.code;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The contents of a snapshot.
 *
 * @param workdir the folder that was copied
 * @param folder path of the copy in the snapshot's folder
 * @param commit the Git commit that was checked out, if any
 * @param dirty whether the workdir had changes that were not committed
 * @param folders the folders of the copy, each after its parent
 * @param files the code
 * @param inputs paths of files for Elastune, such as the job file: copied, but not in the hash
 */
public record CodeManifest(
    String workdir,
    String folder,
    Optional<String> commit,
    boolean dirty,
    List<String> folders,
    List<Entry> files,
    List<String> inputs) {
  /**
   * A file or symbolic link.
   *
   * @param content SHA-256 of the file, or {@code ->} and the target of the link
   */
  public record Entry(String path, long bytes, String content, boolean executable) {
    private static final String LINK = "-> ";

    /** Returns the target of a link; empty for a file. */
    public Optional<String> linkTarget() {
      return content.startsWith(LINK)
          ? Optional.of(content.substring(LINK.length()))
          : Optional.empty();
    }

    /** Returns whether a link leads to an entry of the same copy, so that it works elsewhere. */
    public boolean staysInside() {
      Path top = Path.of("/top");
      return linkTarget()
          .map(Path::of)
          .filter(target -> !target.isAbsolute())
          .filter(target -> top.resolve(path).resolveSibling(target).normalize().startsWith(top))
          .isPresent();
    }
  }

  public CodeManifest {
    folders = List.copyOf(folders);
    files = List.copyOf(files);
    inputs = List.copyOf(inputs);
  }

  /** Returns the SHA-256 of the code: the same for the same files in any folder at any time. */
  public String hash() {
    MessageDigest digest = sha256();
    contents()
        .forEach(
            (path, content) ->
                digest.update((path + "\0" + content + "\n").getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }

  private TreeMap<String, String> contents() {
    TreeMap<String, String> contents = new TreeMap<>();
    Set<String> without = Set.copyOf(inputs);
    for (Entry entry : files) {
      if (!without.contains(entry.path())) {
        contents.put(entry.path(), entry.content() + (entry.executable() ? " x" : ""));
      }
    }
    return contents;
  }

  /** Returns which files another version changed, added or removed, sorted by path. */
  public List<String> changesTo(CodeManifest other) {
    Map<String, String> before = contents();
    Map<String, String> after = other.contents();
    TreeSet<String> paths = new TreeSet<>(before.keySet());
    paths.addAll(after.keySet());
    List<String> changes = new ArrayList<>();
    for (String path : paths) {
      String old = before.get(path);
      String now = after.get(path);
      if (old == null) {
        changes.add(path + " (new)");
      } else if (now == null) {
        changes.add(path + " (removed)");
      } else if (!old.equals(now)) {
        changes.add(path);
      }
    }
    return changes;
  }

  /** Describes it for reports. */
  public CodeVersion version(int number, long sinceMs) {
    long bytes = files.stream().mapToLong(Entry::bytes).sum();
    return new CodeVersion(number, hash(), files.size(), bytes, commit, dirty, sinceMs);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is unavailable", e);
    }
  }
}
