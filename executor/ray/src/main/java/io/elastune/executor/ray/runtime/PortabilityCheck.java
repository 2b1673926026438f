package io.elastune.executor.ray.runtime;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks that all programs and libraries in a folder run on old Linux distributions. */
final class PortabilityCheck {
  /**
   * The newest permitted need: Debian 10, RHEL 8 and later, Ubuntu 18.10 and later, and Amazon
   * Linux 2023 have this version.
   */
  static final GlibcVersion NEWEST = new GlibcVersion(2, 28);

  private static final int NAMED = 5;

  private PortabilityCheck() {}

  /**
   * Returns the newest version of glibc that a file below {@code folder} needs.
   *
   * @throws CloudException if a file needs a newer one than 2.28, or is for another processor
   */
  static GlibcVersion newestNeed(Path folder) throws IOException {
    GlibcVersion newest = new GlibcVersion(2, 0);
    List<String> unusable = new ArrayList<>();
    for (Path file : files(folder)) {
      ElfFile elf = ElfFile.read(file).orElse(null);
      if (elf == null) {
        continue;
      }
      if (!elf.machine().equals("x86_64")) {
        unusable.add(folder.relativize(file) + " is not for x86_64");
        continue;
      }
      GlibcVersion need = elf.glibc().orElse(newest);
      if (need.compareTo(NEWEST) > 0) {
        unusable.add(folder.relativize(file) + " needs glibc " + need);
      }
      newest = newest.compareTo(need) < 0 ? need : newest;
    }
    if (!unusable.isEmpty()) {
      throw new CloudException(new CloudFailure.Invalid(message(unusable)));
    }
    return newest;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  private static String message(List<String> unusable) {
    int more = unusable.size() - NAMED;
    return "The node runtime would not run on all images, which have glibc "
        + NEWEST
        + " or newer on x86_64: "
        + String.join("; ", unusable.subList(0, Math.min(NAMED, unusable.size())))
        + (more > 0 ? "; and " + more + " more files" : "")
        + ". Use another interpreter, or wheels for manylinux_2_28 or older";
  }
}
