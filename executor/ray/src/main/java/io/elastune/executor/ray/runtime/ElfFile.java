package io.elastune.executor.ray.runtime;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a program or a shared library in the Executable and Linkable Format requires.
 *
 * @param machine the processor, as {@code uname -m} names it, such as {@code x86_64}; empty if it
 *     is not known. Then, the sets are empty, too
 * @param versions the symbol versions that it needs of other libraries, such as {@code GLIBC_2.17}
 * @param libraries the names of the libraries that it loads, such as {@code libc.so.6}
 * @see <a
 *     href="https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html">Symbol
 *     versions in the Linux Standard Base</a>
 */
public record ElfFile(String machine, Set<String> versions, Set<String> libraries) {
  private static final int MAGIC = 0x464c457f; // 0x7f E L F

  /** Processors by their number. All have 64 bits and are little-endian. */
  private static final Map<Short, String> MACHINES =
      Map.of(
          (short) 62, "x86_64",
          (short) 183, "aarch64",
          (short) 243, "riscv64",
          (short) 21, "ppc64le");

  private static final int CLASS_64 = 2;
  private static final int LITTLE_ENDIAN = 1;
  private static final int HEADER = 64;

  private static final int LOADED = 1;
  private static final int DYNAMIC = 2;

  private static final long LIBRARY = 1;
  private static final long STRINGS = 5;
  private static final long NEEDED_VERSIONS = 0x6ffffffeL;
  private static final long NEEDED_COUNT = 0x6fffffffL;

  /** A version that may be missing at run time. */
  private static final int WEAK = 2;

  public ElfFile {
    versions = Set.copyOf(versions);
    libraries = Set.copyOf(libraries);
  }

  /**
   * Reads a file; empty if it has another format.
   *
   * @throws IOException if it cannot be read, or is damaged
   */
  static Optional<ElfFile> read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.size() < HEADER
          ? Optional.empty()
          : of(file.toString(), channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
    }
  }

  /**
   * Reads the bytes of a file; empty if it has another format.
   *
   * @param name of the file, for the message
   * @throws IOException if it is damaged
   */
  public static Optional<ElfFile> of(String name, ByteBuffer bytes) throws IOException {
    ByteBuffer file = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    try {
      return file.capacity() >= HEADER && file.getInt(0) == MAGIC
          ? Optional.of(parse(file))
          : Optional.empty();
    } catch (IndexOutOfBoundsException | BufferUnderflowException | IllegalArgumentException e) {
      throw new IOException(name + " is a damaged ELF file", e);
    }
  }

  private static ElfFile parse(ByteBuffer file) {
    boolean isKnown = file.get(4) == CLASS_64 && file.get(5) == LITTLE_ENDIAN;
    String machine = isKnown ? MACHINES.getOrDefault(file.getShort(18), "") : "";
    if (machine.isEmpty()) {
      return new ElfFile("", Set.of(), Set.of());
    }
    Reader reader = new Reader(file);
    return new ElfFile(machine, reader.versions(), reader.libraries());
  }

  /**
   * Returns the oldest version of glibc that has all that the file needs; empty if it needs none.
   */
  public Optional<GlibcVersion> glibc() {
    return versions.stream()
        .flatMap(name -> GlibcVersion.ofSymbols(name).stream())
        .max(Comparator.naturalOrder());
  }

  /** Reads the tables that the dynamic linker reads, so that a stripped file has them, too. */
  private static final class Reader {
    private final ByteBuffer file;
    private final int segments;
    private final int segmentSize;
    private final int segmentCount;
    private final Map<Long, Long> dynamic = new HashMap<>();
    private final List<Long> names = new ArrayList<>();

    Reader(ByteBuffer file) {
      this.file = file;
      segments = Math.toIntExact(file.getLong(32));
      segmentSize = file.getShort(54);
      segmentCount = file.getShort(56);
      readDynamic();
    }

    Set<String> libraries() {
      Set<String> found = new TreeSet<>();
      for (long name : names) {
        found.add(text(strings() + Math.toIntExact(name)));
      }
      return found;
    }

    private int strings() {
      return offset(dynamic.getOrDefault(STRINGS, 0L));
    }

    Set<String> versions() {
      Set<String> found = new TreeSet<>();
      Long needed = dynamic.get(NEEDED_VERSIONS);
      if (needed == null) {
        return found;
      }
      int strings = strings();
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

    /** Reads the entries of the dynamic section, which a static program lacks. */
    private void readDynamic() {
      for (int i = 0; i < segmentCount; i++) {
        int segment = segments + i * segmentSize;
        if (file.getInt(segment) == DYNAMIC) {
          int at = Math.toIntExact(file.getLong(segment + 8));
          int end = at + Math.toIntExact(file.getLong(segment + 32));
          for (; at < end && file.getLong(at) != 0; at += 16) {
            long value = file.getLong(at + 8);
            if (file.getLong(at) == LIBRARY) {
              names.add(value);
            } else {
              dynamic.put(file.getLong(at), value);
            }
          }
        }
      }
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
