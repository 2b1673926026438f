package io.elastune.executor.ray.runtime;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a program or a shared library in the Executable and Linkable Format requires.
 *
 * @param isX86 whether it is for 64-bit x86 processors
 * @param versions the symbol versions that it needs of other libraries, such as {@code GLIBC_2.17}
 * @see <a
 *     href="https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html">Symbol
 *     versions in the Linux Standard Base</a>
 */
record ElfFile(boolean isX86, Set<String> versions) {
  private static final int MAGIC = 0x464c457f; // 0x7f E L F
  private static final int X86_64 = 62;
  private static final int CLASS_64 = 2;
  private static final int LITTLE_ENDIAN = 1;
  private static final int HEADER = 64;

  private static final int LOADED = 1;
  private static final int DYNAMIC = 2;

  private static final long STRINGS = 5;
  private static final long NEEDED_VERSIONS = 0x6ffffffeL;
  private static final long NEEDED_COUNT = 0x6fffffffL;

  /** A version that may be missing at run time. */
  private static final int WEAK = 2;

  ElfFile {
    versions = Set.copyOf(versions);
  }

  /**
   * Reads a file; empty if it has another format.
   *
   * @throws IOException if it cannot be read, or is damaged
   */
  static Optional<ElfFile> read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      if (channel.size() < HEADER) {
        return Optional.empty();
      }
      ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      bytes.order(ByteOrder.LITTLE_ENDIAN);
      return bytes.getInt(0) == MAGIC ? Optional.of(parse(bytes)) : Optional.empty();
    } catch (IndexOutOfBoundsException | BufferUnderflowException | IllegalArgumentException e) {
      throw new IOException(file + " is a damaged ELF file", e);
    }
  }

  private static ElfFile parse(ByteBuffer file) {
    boolean isX86 =
        file.get(4) == CLASS_64 && file.get(5) == LITTLE_ENDIAN && file.getShort(18) == X86_64;
    return new ElfFile(isX86, isX86 ? new Reader(file).versions() : Set.of());
  }

  /** Reads the tables that the dynamic linker reads, so that a stripped file has them, too. */
  private static final class Reader {
    private final ByteBuffer file;
    private final int segments;
    private final int segmentSize;
    private final int segmentCount;

    Reader(ByteBuffer file) {
      this.file = file;
      segments = Math.toIntExact(file.getLong(32));
      segmentSize = file.getShort(54);
      segmentCount = file.getShort(56);
    }

    Set<String> versions() {
      Set<String> found = new TreeSet<>();
      Map<Long, Long> dynamic = dynamic();
      Long needed = dynamic.get(NEEDED_VERSIONS);
      if (needed == null) {
        return found;
      }
      int strings = offset(dynamic.getOrDefault(STRINGS, 0L));
      int library = offset(needed);
      for (long left = dynamic.getOrDefault(NEEDED_COUNT, 0L); left > 0; left--) {
        int version = library + file.getInt(library + 8);
        for (int rest = file.getShort(library + 2); rest > 0; rest--) {
          if ((file.getShort(version + 4) & WEAK) == 0) {
            found.add(text(strings + file.getInt(version + 8)));
          }
          version += file.getInt(version + 12);
        }
        library += file.getInt(library + 12);
      }
      return found;
    }

    /** The entries of the dynamic section; empty for a static program. */
    private Map<Long, Long> dynamic() {
      Map<Long, Long> entries = new HashMap<>();
      for (int i = 0; i < segmentCount; i++) {
        int segment = segments + i * segmentSize;
        if (file.getInt(segment) == DYNAMIC) {
          int at = Math.toIntExact(file.getLong(segment + 8));
          int end = at + Math.toIntExact(file.getLong(segment + 32));
          for (; at < end && file.getLong(at) != 0; at += 16) {
            entries.put(file.getLong(at), file.getLong(at + 8));
          }
        }
      }
      return entries;
    }

    /** Returns the position in the file of an address in memory. */
    private int offset(long address) {
      for (int i = 0; i < segmentCount; i++) {
        int segment = segments + i * segmentSize;
        long start = file.getLong(segment + 16);
        if (file.getInt(segment) == LOADED
            && address >= start
            && address < start + file.getLong(segment + 32)) {
          return Math.toIntExact(address - start + file.getLong(segment + 8));
        }
      }
      throw new IllegalArgumentException("address " + address + " is in no segment");
    }

    private String text(int from) {
      int end = from;
      while (file.get(end) != 0) {
        end++;
      }
      byte[] bytes = new byte[end - from];
      file.get(from, bytes);
      return new String(bytes, StandardCharsets.US_ASCII);
    }
  }
}
