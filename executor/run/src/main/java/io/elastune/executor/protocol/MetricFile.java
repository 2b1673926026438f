package io.elastune.executor.protocol;

import io.elastune.core.job.Metric;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * The file of {@code search.metric.from} in the working folder of a trial. One that an earlier
 * attempt, or the code itself, has left there does not count, and neither does one that other
 * trials write, too.
 */
public final class MetricFile {
  private static final int MOST_BYTES = 1 << 20;

  private final Path workdir;
  private final Path file;
  private final String name;
  private final Optional<Version> before;

  private record Version(FileTime modified, long size, String key) {}

  /**
   * The contents, or why there are none.
   *
   * @param text the contents, of a large file the end; empty if there is a problem
   * @param problem empty if there is none
   */
  public record Content(String text, String problem) {}

  private MetricFile(Path workdir, String name) {
    this.workdir = workdir;
    file = workdir.resolve(name);
    this.name = name;
    before = version();
  }

  /** Returns the file of a metric before the attempt writes it; empty if the metric has none. */
  public static Optional<MetricFile> before(Metric metric, Path workdir) {
    return metric.from().map(name -> new MetricFile(workdir, name));
  }

  /** Reads the file after the end of the attempt. */
  public Content read() {
    Optional<Version> after = version();
    if (after.isEmpty()) {
      return new Content("", name + (Files.exists(file) ? " is not a file" : " does not exist"));
    }
    if (after.equals(before)) {
      return new Content("", name + " was not written");
    }
    try {
      Path real = file.toRealPath();
      if (!real.startsWith(workdir.toRealPath())) {
        return new Content("", name + " is outside of the working folder of the trial: " + real);
      }
    } catch (IOException e) {
      return new Content("", name + " cannot be read: " + e.getMessage());
    }
    try (RandomAccessFile input = new RandomAccessFile(file.toFile(), "r")) {
      long begin = Math.max(0, input.length() - MOST_BYTES);
      byte[] end = new byte[(int) (input.length() - begin)];
      input.seek(begin);
      input.readFully(end);
      return new Content(new String(end, StandardCharsets.UTF_8), "");
    } catch (IOException e) {
      return new Content("", name + " cannot be read: " + e.getMessage());
    }
  }

  private Optional<Version> version() {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.isRegularFile()
          ? Optional.of(
              new Version(
                  attributes.lastModifiedTime(),
                  attributes.size(),
                  String.valueOf(attributes.fileKey())))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
