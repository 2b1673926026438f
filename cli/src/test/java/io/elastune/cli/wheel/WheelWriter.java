package io.elastune.cli.wheel;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A wheel: a zip with {@code METADATA}, {@code WHEEL} and {@code RECORD}.
 *
 * @see <a
 *     href="https://packaging.python.org/en/latest/specifications/binary-distribution-format/">The
 *     format</a>
 */
final class WheelWriter {
  private final String name;
  private final String version;
  private final String tag;
  private final Map<String, byte[]> files = new TreeMap<>();
  private final Set<String> programs = new HashSet<>();

  /**
   * @param name of the distribution, such as {@code elastune-aws}
   * @param platform the last part of the tag, such as {@code manylinux_2_17_x86_64}, or {@code any}
   */
  WheelWriter(String name, String version, String platform) {
    this.name = name;
    this.version = version;
    this.tag = "py3-none-" + platform;
  }

  WheelWriter add(String path, byte[] bytes, boolean executable) {
    if (files.put(path, bytes) != null) {
      throw new IllegalStateException(path + " is twice in the wheel " + name);
    }
    if (executable) {
      programs.add(path);
    }
    return this;
  }

  WheelWriter add(String path, String text) {
    return add(path, text.getBytes(StandardCharsets.UTF_8), false);
  }

  WheelWriter add(String path, Path file, boolean executable) {
    try {
      return add(path, Files.readAllBytes(file), executable);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a file of {@code .dist-info}, which the installation keeps. */
  WheelWriter addInfo(String path, String text) {
    return add(info() + path, text);
  }

  WheelWriter addInfo(String path, Path file) {
    return add(info() + path, file, false);
  }

  /**
   * Writes the wheel.
   *
   * @param metadata the fields after name and version, then an empty line and the description
   * @return the file, whose name states its contents
   */
  Path write(Path folder, String metadata) {
    addInfo(
        "METADATA",
        "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n" + metadata);
    // All wheels are installed into the same folder, also where platforms have one of their own.
    addInfo(
        "WHEEL",
        "Wheel-Version: 1.0\nGenerator: elastune\nRoot-Is-Purelib: false\nTag: " + tag + "\n");
    addInfo("RECORD", contents() + info() + "RECORD,,\n");
    Path file = folder.resolve(prefix() + "-" + tag + ".whl");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      ArchiveWriter archive = new ArchiveWriter(out);
      for (Map.Entry<String, byte[]> entry : files.entrySet()) {
        archive.add(entry.getKey(), entry.getValue(), programs.contains(entry.getKey()));
      }
      archive.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  private String contents() {
    StringBuilder record = new StringBuilder();
    files.forEach(
        (path, content) ->
            record
                .append(path.contains(",") ? '"' + path + '"' : path)
                .append(",sha256=")
                .append(sha256(content))
                .append(',')
                .append(content.length)
                .append('\n'));
    return record.toString();
  }

  private String prefix() {
    return name.replace('-', '_') + "-" + version;
  }

  private String info() {
    return prefix() + ".dist-info/";
  }

  private static String sha256(byte[] bytes) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
