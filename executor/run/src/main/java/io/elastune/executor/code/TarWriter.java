package io.elastune.executor.code;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Writes a tar archive (POSIX pax format) that depends only on the paths and contents of its
 * entries: without times, owners and the permissions of other users.
 */
public final class TarWriter implements Closeable {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final int BUFFER = 1 << 16;
  private static final int FOLDER_MODE = 0700;
  private static final int FILE_MODE = 0600;
  private static final int PROGRAM_MODE = 0700;

  private final OutputStream stream;

  /** Writes to {@code stream}, and closes it in the end. */
  public TarWriter(OutputStream stream) {
    this.stream = stream;
  }

  /** Adds a folder. */
  public void addFolder(String path) throws IOException {
    entry(path + "/", '5', "", FOLDER_MODE, 0);
  }

  /** Adds a file with the contents of {@code source}. */
  public void addFile(String path, Path source, boolean executable) throws IOException {
    long size = Files.size(source);
    entry(path, '0', "", executable ? PROGRAM_MODE : FILE_MODE, size);
    try (InputStream content = Files.newInputStream(source)) {
      byte[] buffer = new byte[BUFFER];
      for (long left = size; left > 0; ) {
        int read = content.read(buffer, 0, (int) Math.min(left, BUFFER));
        if (read < 0) {
          throw new IOException(source + " was shortened while it was read");
        }
        stream.write(buffer, 0, read);
        left -= read;
      }
    }
    pad(size);
  }

  /** Adds a symbolic link. */
  public void addLink(String path, String target) throws IOException {
    entry(path, '2', target, FILE_MODE, 0);
  }

  /** Writes the end of the archive. */
  @Override
  public void close() throws IOException {
    try (stream) {
      stream.write(new byte[2 * BLOCK]);
    }
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
