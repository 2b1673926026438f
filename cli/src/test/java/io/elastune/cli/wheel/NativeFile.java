package io.elastune.cli.wheel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A program or library of a system, as its headers describe it.
 *
 * @param family the systems whose format it has
 * @param machine as in the tags of wheels, such as {@code x86_64} or {@code arm64}
 * @param release the oldest release that it needs: of glibc on Linux, of the system on macOS; 0.0
 *     if it needs none
 * @param needed the names of the libraries that it loads
 */
record NativeFile(Family family, String machine, Release release, Set<String> needed) {
  enum Family {
    LINUX,
    MACOS,
    WINDOWS
  }

  /** Two numbers, such as those of glibc 2.17. */
  record Release(int major, int minor) implements Comparable<Release> {
    static final Release NONE = new Release(0, 0);

    @Override
    public int compareTo(Release other) {
      return major == other.major
          ? Integer.compare(minor, other.minor)
          : Integer.compare(major, other.major);
    }

    Release max(Release other) {
      return compareTo(other) < 0 ? other : this;
    }

    @Override
    public String toString() {
      return major + "." + minor;
    }
  }

  NativeFile {
    needed = Set.copyOf(needed);
  }

  /** Returns nothing for a file that is neither a program nor a library. */
  static Optional<NativeFile> of(byte[] content) {
    if (content.length < 64) {
      return Optional.empty();
    }
    ByteBuffer file = ByteBuffer.wrap(content);
    int magic = file.getInt(0);
    if (magic == ElfReader.MAGIC) {
      return Optional.of(new ElfReader(content).read());
    }
    if (magic == MachReader.MAGIC_64_LITTLE) {
      return Optional.of(new MachReader(content).read());
    }
    if (content[0] == 'M' && content[1] == 'Z') {
      return Optional.of(new NativeFile(Family.WINDOWS, "windows", Release.NONE, Set.of()));
    }
    return Optional.empty();
  }

  /** Reads the headers of ELF files. */
  private static final class ElfReader {
    static final int MAGIC = 0x7f454c46;
    private static final int DYNAMIC = 6;
    private static final int NEEDED_VERSIONS = 0x6ffffffe;
    private static final long NEEDED = 1;

    /** The first release that can load files with compact relocations, which name no number. */
    private static final Release COMPACT_RELOCATIONS = new Release(2, 36);

    private final byte[] content;
    private final ByteBuffer file;

    ElfReader(byte[] content) {
      this.content = content;
      file = ByteBuffer.wrap(content);
      if (content[4] != 2) {
        throw new UnsuitableInput("32-bit files are not supported.");
      }
      file.order(content[5] == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    }

    NativeFile read() {
      Release release = Release.NONE;
      Set<String> needed = new TreeSet<>();
      int count = file.getShort(60);
      for (int i = 0; i < count; i++) {
        int section = section(i);
        if (file.getInt(section + 4) == NEEDED_VERSIONS) {
          release = release.max(glibc(section));
        } else if (file.getInt(section + 4) == DYNAMIC) {
          needed.addAll(libraries(section));
        }
      }
      return new NativeFile(Family.LINUX, machine(file.getShort(18)), release, needed);
    }

    private static String machine(int number) {
      return switch (number) {
        case 62 -> "x86_64";
        case 183 -> "aarch64";
        case 21 -> "ppc64le";
        case 22 -> "s390x";
        case 243 -> "riscv64";
        default -> throw new UnsuitableInput("ELF machine " + number + " is not supported.");
      };
    }

    private int section(int index) {
      return Math.toIntExact(file.getLong(40)) + index * file.getShort(58);
    }

    /** Returns where the names begin that a section refers to. */
    private int names(int section) {
      return offset(section(file.getInt(section + 40)));
    }

    private int offset(int section) {
      return Math.toIntExact(file.getLong(section + 24));
    }

    private Release glibc(int section) {
      Release newest = Release.NONE;
      int names = names(section);
      int entry = offset(section);
      for (int i = file.getInt(section + 44); i > 0; i--) {
        int version = entry + file.getInt(entry + 8);
        for (int k = file.getShort(entry + 2); k > 0; k--) {
          newest = newest.max(release(text(names + file.getInt(version + 8))));
          version += file.getInt(version + 12);
        }
        entry += file.getInt(entry + 12);
      }
      return newest;
    }

    private static Release release(String version) {
      if (version.equals("GLIBC_ABI_DT_RELR")) {
        return COMPACT_RELOCATIONS;
      }
      if (!version.matches("GLIBC_\\d+\\.\\d+(\\.\\d+)?")) {
        return Release.NONE; // of another library
      }
      String[] numbers = version.substring("GLIBC_".length()).split("\\.", -1);
      return new Release(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    private Set<String> libraries(int section) {
      Set<String> libraries = new TreeSet<>();
      int end = offset(section) + Math.toIntExact(file.getLong(section + 32));
      for (int entry = offset(section); entry < end; entry += 16) {
        if (file.getLong(entry) == NEEDED) {
          libraries.add(text(names(section) + Math.toIntExact(file.getLong(entry + 8))));
        }
      }
      return libraries;
    }

    private String text(int start) {
      int end = start;
      while (file.get(end) != 0) {
        end++;
      }
      return new String(content, start, end - start, StandardCharsets.UTF_8);
    }
  }

  /** Reads the headers of Mach-O files for one processor. */
  private static final class MachReader {
    /** The magic number of 64-bit little-endian files, read as big-endian. */
    static final int MAGIC_64_LITTLE = 0xcffaedfe;

    private static final int X86_64 = 0x01000007;
    private static final int ARM64 = 0x0100000c;
    private static final int OLDEST_SYSTEM = 0x24;
    private static final int BUILT_FOR = 0x32;
    private static final int LOADS = 0xc;

    private final byte[] content;
    private final ByteBuffer file;

    MachReader(byte[] content) {
      this.content = content;
      file = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    }

    NativeFile read() {
      String machine =
          switch (file.getInt(4)) {
            case X86_64 -> "x86_64";
            case ARM64 -> "arm64";
            default ->
                throw new UnsuitableInput(
                    "Mach-O processor " + file.getInt(4) + " is not supported.");
          };
      Release release = Release.NONE;
      Set<String> needed = new TreeSet<>();
      int command = 32;
      for (int i = file.getInt(16); i > 0; i--) {
        int kind = file.getInt(command);
        if (kind == OLDEST_SYSTEM) {
          release = release.max(release(file.getInt(command + 8)));
        } else if (kind == BUILT_FOR) {
          release = release.max(release(file.getInt(command + 12)));
        } else if (kind == LOADS) {
          needed.add(text(command + file.getInt(command + 8), command + file.getInt(command + 4)));
        }
        command += file.getInt(command + 4);
      }
      return new NativeFile(Family.MACOS, machine, release, needed);
    }

    private static Release release(int packed) {
      return new Release(packed >>> 16, packed >>> 8 & 0xff);
    }

    private String text(int start, int limit) {
      int end = start;
      while (end < limit && file.get(end) != 0) {
        end++;
      }
      return new String(content, start, end - start, StandardCharsets.UTF_8);
    }
  }
}
