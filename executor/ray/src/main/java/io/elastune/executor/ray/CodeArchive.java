package io.elastune.executor.ray;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.code.CodeManifest;
import io.elastune.executor.code.CodeSnapshot;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;

/**
 * Writes the code of a snapshot as a tar archive (POSIX pax format) that depends on the code only.
 * What the snapshot links, such as data outside the code, is not on the nodes and not in it.
 */
final class CodeArchive {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final String LINK = "-> ";
  private static final int FOLDER_MODE = 0700;
  private static final int FILE_MODE = 0600;
  private static final int PROGRAM_MODE = 0700;

  private final OutputStream stream;

  private CodeArchive(OutputStream stream) {
    this.stream = stream;
  }

  /** Writes the archive, unless it exists, and returns {@code file}. */
  static Path of(CodeSnapshot code, Path file) {
    if (Files.exists(file)) {
      return file;
    }
    Path part = file.resolveSibling(file.getFileName() + "." + Thread.currentThread().getId());
    try {
      PrivateFiles.createFile(part);
      try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(part))) {
        new CodeArchive(stream).write(code);
      }
      return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot pack the code: " + e.getMessage(), e);
    }
  }

  private void write(CodeSnapshot code) throws IOException {
    for (String folder : code.manifest().folders()) {
      entry(folder + "/", '5', "", FOLDER_MODE, 0);
    }
    for (CodeManifest.Entry entry : code.manifest().files()) {
      Path file = code.folder().resolve(entry.path());
      if (!entry.content().startsWith(LINK)) {
        long size = Files.size(file);
        entry(entry.path(), '0', "", entry.executable() ? PROGRAM_MODE : FILE_MODE, size);
        Files.copy(file, stream);
        pad(size);
      } else if (staysInside(entry)) {
        entry(entry.path(), '2', entry.content().substring(LINK.length()), FILE_MODE, 0);
      }
    }
    stream.write(new byte[2 * BLOCK]);
  }

  private static boolean staysInside(CodeManifest.Entry entry) {
    Path target = Path.of(entry.content().substring(LINK.length()));
    Path top = Path.of("/top");
    return !target.isAbsolute()
        && top.resolve(entry.path()).resolveSibling(target).normalize().startsWith(top);
  }

  private void entry(String path, char type, String link, int mode, long size) throws IOException {
    byte[] records = concat(record("path", path), link.isEmpty() ? "" : record("linkpath", link));
    boolean plain = isPlain(path) && isPlain(link);
    if (!plain) {
      header("pax", 'x', "", FILE_MODE, records.length);
      stream.write(records);
      pad(records.length);
    }
    header(plain ? path : "entry", type, plain ? link : "", mode, size);
  }

  private static boolean isPlain(String text) {
    return text.length() < NAME && text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }

  private static byte[] concat(String one, String other) {
    return (one + other).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a pax record: its own length in bytes, a key and a value. */
  private static String record(String key, String value) {
    String text = " " + key + "=" + value + "\n";
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    int length = bytes + Integer.toString(bytes).length();
    if (Integer.toString(length).length() > Integer.toString(bytes).length()) {
      length++;
    }
    return length + text;
  }

  private void header(String path, char type, String link, int mode, long size) throws IOException {
    byte[] block = new byte[BLOCK];
    put(block, 0, path);
    octal(block, 100, 8, mode);
    octal(block, 108, 8, 0);
    octal(block, 116, 8, 0);
    octal(block, 124, 12, size);
    octal(block, 136, 12, 0);
    Arrays.fill(block, 148, 156, (byte) ' ');
    block[156] = (byte) type;
    put(block, 157, link);
    put(block, 257, "ustar");
    put(block, 263, "00");
    int sum = 0;
    for (byte next : block) {
      sum += next & 0xff;
    }
    octal(block, 148, 7, sum);
    stream.write(block);
  }

  private static void put(byte[] block, int offset, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, block, offset, bytes.length);
  }

  private static void octal(byte[] block, int offset, int width, long number) {
    put(block, offset, String.format(Locale.ROOT, "%0" + (width - 1) + "o", number));
    block[offset + width - 1] = 0;
  }

  private void pad(long size) throws IOException {
    stream.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
  }
}
