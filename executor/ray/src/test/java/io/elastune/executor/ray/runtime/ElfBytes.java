package io.elastune.executor.ray.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Composes small ELF files with symbol versions. */
final class ElfBytes {
  static final int X86_64 = 62;
  static final int AARCH64 = 183;
  static final int WEAK = 2;

  /** The difference between addresses in memory and positions in the file. */
  private static final int BASE = 0x10000;

  private static final int DYNAMIC = 0x100;
  private static final int VERSIONS = 0x200;
  private static final int STRINGS = 0x600;
  private static final int SIZE = 0x800;

  private ElfBytes() {}

  /** Returns a shared library that needs these symbol versions of one library. */
  static byte[] of(int machine, int flags, List<String> versions) {
    ByteBuffer file = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0, 0x464c457f).put(4, (byte) 2).put(5, (byte) 1);
    file.putShort(18, (short) machine);
    file.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 2);
    segment(file, 64, 1, 0, SIZE);
    segment(file, 64 + 56, 2, DYNAMIC, 64);
    entry(file, DYNAMIC, 0x6ffffffeL, VERSIONS + BASE);
    entry(file, DYNAMIC + 16, 0x6fffffffL, 1);
    entry(file, DYNAMIC + 32, 5, STRINGS + BASE);
    file.putShort(VERSIONS, (short) 1).putShort(VERSIONS + 2, (short) versions.size());
    file.putInt(VERSIONS + 8, 16);
    int strings = 1;
    int at = VERSIONS + 16;
    for (String version : versions) {
      byte[] text = version.getBytes(StandardCharsets.US_ASCII);
      file.putShort(at + 4, (short) flags).putInt(at + 8, strings).putInt(at + 12, 16);
      file.put(STRINGS + strings, text);
      strings += text.length + 1;
      at += 16;
    }
    return file.array();
  }

  private static void segment(ByteBuffer file, int at, int type, int offset, int size) {
    file.putInt(at, type).putLong(at + 8, offset).putLong(at + 16, offset + BASE);
    file.putLong(at + 32, size);
  }

  private static void entry(ByteBuffer file, int at, long tag, long value) {
    file.putLong(at, tag).putLong(at + 8, value);
  }
}
