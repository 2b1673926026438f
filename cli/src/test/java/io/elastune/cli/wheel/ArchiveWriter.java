package io.elastune.cli.wheel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes a zip whose bytes depend only on its contents: all entries have the same time. Unlike
 * {@code java.util.zip}, it records which files are executable, and unlike zip file systems, it
 * adds no times.
 *
 * @see <a href="https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT">The format</a>
 */
final class ArchiveWriter {
  private static final int LOCAL_HEADER = 0x04034b50;
  private static final int CENTRAL_HEADER = 0x02014b50;
  private static final int END = 0x06054b50;
  private static final int VERSION = 20;
  private static final int MADE_ON_UNIX = 3 << 8 | VERSION;
  private static final int NAMES_ARE_UTF8 = 1 << 11;
  private static final int DEFLATED = 8;

  /** 1 January 1980, 00:00, the first time of the format. */
  private static final int DATE = 1 << 5 | 1;

  private static final int REGULAR_FILE = 0100000;
  private static final int EXECUTABLE = 0755;
  private static final int PLAIN = 0644;

  private final OutputStream out;
  private final List<byte[]> directory = new ArrayList<>();
  private int offset;

  ArchiveWriter(OutputStream out) {
    this.out = out;
  }

  void add(String name, byte[] content, boolean executable) throws IOException {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    CRC32 crc = new CRC32();
    crc.update(content);
    byte[] packed = deflate(content);
    Header common = new Header();
    common.two(VERSION).two(NAMES_ARE_UTF8).two(DEFLATED).two(0).two(DATE);
    common.four((int) crc.getValue()).four(packed.length).four(content.length);
    common.two(nameBytes.length).two(0);

    int mode = REGULAR_FILE | (executable ? EXECUTABLE : PLAIN);
    Header central = new Header();
    central.four(CENTRAL_HEADER).two(MADE_ON_UNIX).bytes(common.bytes());
    central.two(0).two(0).two(0).four(mode << 16).four(offset).bytes(nameBytes);
    directory.add(central.bytes());

    write(new Header().four(LOCAL_HEADER).bytes(common.bytes()).bytes(nameBytes).bytes());
    write(packed);
  }

  /** Writes the directory. The stream stays open. */
  void finish() throws IOException {
    int start = offset;
    for (byte[] entry : directory) {
      write(entry);
    }
    Header end = new Header().four(END).four(0).two(directory.size()).two(directory.size());
    write(end.four(offset - start).four(start).two(0).bytes());
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    offset = Math.addExact(offset, bytes.length);
  }

  private static byte[] deflate(byte[] content) throws IOException {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    try {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (DeflaterOutputStream stream = new DeflaterOutputStream(packed, deflater)) {
        stream.write(content);
      }
      return packed.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /** Fields of two and four bytes, the lowest one first. */
  private static final class Header {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Header two(int value) {
      bytes.write(value);
      bytes.write(value >>> 8);
      return this;
    }

    Header four(int value) {
      return two(value).two(value >>> 16);
    }

    Header bytes(byte[] more) {
      bytes.writeBytes(more);
      return this;
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }
}
