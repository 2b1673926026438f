package io.elastune.executor.checkpoint;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where checkpoints are stored: a folder of this machine ({@code /path}), a folder of a file system
 * that all instances share ({@code file:///path}), or a bucket ({@code s3://BUCKET/NAME}).
 */
public record CheckpointLocation(String text) {
  /** The end of the name of a checkpoint in a bucket, after its unit. */
  public static final String ARCHIVE = ".tar";

  private static final String SHARED = "file://";

  /** Returns the location of a name below this one. */
  public CheckpointLocation resolve(String name) {
    return new CheckpointLocation(
        folder().isPresent() && !isShared()
            ? Path.of(text).resolve(name).toString()
            : text.replaceFirst("/+$", "") + "/" + name);
  }

  /** Returns whether all instances share the folder. */
  public boolean isShared() {
    return text.startsWith(SHARED);
  }

  /** Returns whether this is a bucket. */
  public boolean isBucket() {
    return text.contains("://") && !isShared();
  }

  /** Returns the folder on this machine; empty for a bucket. */
  public Optional<Path> folder() {
    if (isBucket()) {
      return Optional.empty();
    }
    return Optional.of(Path.of(isShared() ? text.substring(SHARED.length()) : text));
  }

  /** Returns the absolute folder on this machine of a location that is no bucket. */
  public Path absoluteFolder() {
    return folder()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "only instances of a Ray cluster store checkpoints in " + text))
        .toAbsolutePath();
  }

  /** Returns the scheme of a bucket's URL. */
  public String scheme() {
    return URI.create(text).getScheme();
  }

  /** Returns the name of the bucket. */
  public String bucket() {
    return URI.create(text).getRawAuthority();
  }

  /** Returns the name in the bucket, without {@code /} at its start. */
  public String name() {
    int start = text.indexOf('/', text.indexOf("://") + "://".length());
    return start < 0 ? "" : text.substring(start + 1).replaceFirst("^/+", "");
  }

  /**
   * Returns where the checkpoint of a unit is: a folder, or an archive in a bucket.
   *
   * @param trial the trial's number, if this is the location of a whole run
   */
  public String checkpoint(int trial, int unit) {
    CheckpointLocation own = resolve("trial-" + trial).resolve(Integer.toString(unit));
    return own.folder().map(Path::toString).orElse(own.text() + ARCHIVE);
  }

  @Override
  public String toString() {
    return text;
  }
}
