package io.elastune.executor.ray.runtime;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of the GNU C library, such as 2.28. */
public record GlibcVersion(int major, int minor) implements Comparable<GlibcVersion> {
  private static final Pattern SYMBOLS = Pattern.compile("GLIBC_([0-9]+)\\.([0-9]+)(\\.[0-9]+)?");

  /** The first version whose loader supports the relocations of {@code -z pack-relative-relocs}. */
  private static final GlibcVersion PACKED_RELOCATIONS = new GlibcVersion(2, 36);

  /**
   * Returns the version that a symbol version of an ELF file requires, such as {@code GLIBC_2.17};
   * empty if another library defines it.
   */
  static Optional<GlibcVersion> ofSymbols(String name) {
    if (name.equals("GLIBC_ABI_DT_RELR")) {
      return Optional.of(PACKED_RELOCATIONS);
    }
    Matcher matcher = SYMBOLS.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new GlibcVersion(
                Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }

  @Override
  public int compareTo(GlibcVersion other) {
    return Comparator.comparingInt(GlibcVersion::major)
        .thenComparingInt(GlibcVersion::minor)
        .compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
