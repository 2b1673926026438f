package io.elastune.cli.wheel;

import io.elastune.executor.ray.runtime.ElfFile;
import java.io.IOException;
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

  /**
   * Returns nothing for a file that is neither a program nor a library.
   *
   * @param name of the file, for messages
   */
  static Optional<NativeFile> of(String name, byte[] content) {
    if (content.length < 64) {
      return Optional.empty();
    }
    ByteBuffer file = ByteBuffer.wrap(content);
    if (file.getInt(0) == MachReader.MAGIC_64_LITTLE) {
      return Optional.of(new MachReader(name, content).read());
    }
    if (file.getInt(0) == MachReader.MAGIC_UNIVERSAL && file.getInt(4) < MachReader.MANY) {
      throw new UnsuitableInput(name + " is for several processors: use a JDK for one.");
    }
    if (content[0] == 'M' && content[1] == 'Z') {
      return Optional.of(new NativeFile(Family.WINDOWS, "windows", Release.NONE, Set.of()));
    }
    try {
      return ElfFile.of(name, file).map(elf -> linux(name, elf));
    } catch (IOException e) {
      throw new UnsuitableInput(e.getMessage());
    }
  }

  private static NativeFile linux(String name, ElfFile file) {
    if (file.machine().isEmpty()) {
      throw new UnsuitableInput(name + " is for a processor that is not supported.");
    }
    Release release =
        file.glibc().map(glibc -> new Release(glibc.major(), glibc.minor())).orElse(Release.NONE);
    return new NativeFile(Family.LINUX, file.machine(), release, file.libraries());
  }

  /** Reads the headers of Mach-O files for one processor. */
  private static final class MachReader {
    /** The magic number of 64-bit little-endian files, read as big-endian. */
    static final int MAGIC_64_LITTLE = 0xcffaedfe;

    /** Also that of a class file, whose second number is its version: above 44. */
    static final int MAGIC_UNIVERSAL = 0xcafebabe;

    static final int MANY = 45;

    private static final int X86_64 = 0x01000007;
    private static final int ARM64 = 0x0100000c;
    private static final int OLDEST_SYSTEM = 0x24;
    private static final int BUILT_FOR = 0x32;
    private static final int LOADS = 0xc;
    private static final int SIGNATURE = 0x1d;

    private final String name;
    private final byte[] content;
    private final ByteBuffer file;

    MachReader(String name, byte[] content) {
      this.name = name;
      this.content = content;
      file = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    }

    NativeFile read() {
      String machine =
          switch (file.getInt(4)) {
            case X86_64 -> "x86_64";
            case ARM64 -> "arm64";
            default ->
                throw new UnsuitableInput(name + " is for a processor that is not supported.");
          };
      Release release = Release.NONE;
      Set<String> needed = new TreeSet<>();
      boolean signed = false;
      int command = 32;
      for (int i = file.getInt(16); i > 0; i--) {
        int kind = file.getInt(command);
        signed |= kind == SIGNATURE;
        if (kind == OLDEST_SYSTEM) {
          release = release.max(release(file.getInt(command + 8)));
        } else if (kind == BUILT_FOR) {
          release = release.max(release(file.getInt(command + 12)));
        } else if (kind == LOADS) {
          needed.add(text(command + file.getInt(command + 8), command + file.getInt(command + 4)));
        }
        command += file.getInt(command + 4);
      }
      if (!signed && machine.equals("arm64")) {
        throw new UnsuitableInput(name + " has no signature, which macOS on arm64 requires.");
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
