package io.elastune.cli.wheel;

import io.elastune.cli.wheel.NativeFile.Release;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The systems that can use a set of native files, measured in the files themselves.
 *
 * @param family of all files
 * @param machine of all files
 * @param release the oldest release that has all that the files need
 */
record Platform(NativeFile.Family family, String machine, Release release) {
  /** The oldest releases that installers have tags for. */
  private static final Release OLDEST_GLIBC = new Release(2, 17);

  private static final Release OLDEST_MACOS_INTEL = new Release(10, 9);
  private static final Release OLDEST_MACOS_ARM = new Release(11, 0);

  /**
   * @param files by name
   * @throws UnsuitableInput if no wheel can contain them
   */
  static Platform of(Map<String, NativeFile> files) {
    Map<String, String> kinds = new TreeMap<>();
    Release release = Release.NONE;
    for (Map.Entry<String, NativeFile> entry : files.entrySet()) {
      NativeFile file = entry.getValue();
      if (file.family() == NativeFile.Family.WINDOWS) {
        throw new UnsuitableInput(
            entry.getKey() + " is for Windows, which is not supported: use WSL2.");
      }
      if (isMusl(file)) {
        throw new UnsuitableInput(
            entry.getKey() + " needs musl, which is not supported: use a system with glibc.");
      }
      kinds.putIfAbsent(file.family() + " on " + file.machine(), entry.getKey());
      release = release.max(file.release());
    }
    if (kinds.size() != 1) {
      throw new UnsuitableInput("There must be native files of one system, but found " + kinds);
    }
    NativeFile any = files.values().iterator().next();
    return new Platform(any.family(), any.machine(), release.max(oldest(any)));
  }

  private static boolean isMusl(NativeFile file) {
    return file.needed().stream()
        .anyMatch(name -> name.startsWith("libc.musl-") || name.equals("libc.so"));
  }

  private static Release oldest(NativeFile file) {
    if (file.family() == NativeFile.Family.LINUX) {
      return OLDEST_GLIBC;
    }
    return file.machine().equals("arm64") ? OLDEST_MACOS_ARM : OLDEST_MACOS_INTEL;
  }

  /** Returns the last part of the tag of a wheel, such as {@code manylinux_2_17_x86_64}. */
  String tag() {
    // From macOS 11, only the first number counts.
    int minor = family == NativeFile.Family.MACOS && release.major() > 10 ? 0 : release.minor();
    return String.format(
        Locale.ROOT,
        "%s_%d_%d_%s",
        family == NativeFile.Family.MACOS ? "macosx" : "manylinux",
        release.major(),
        minor,
        machine);
  }

  /** Returns the folder of this platform in the jar of SQLite's driver. */
  String sqliteFolder() {
    return (family == NativeFile.Family.MACOS ? "Mac/" : "Linux/")
        + (machine.equals("arm64") ? "aarch64" : machine.equals("ppc64le") ? "ppc64" : machine)
        + "/";
  }
}
