package io.elastune.core.buildreport;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * A task of Ant that writes the end of a part of a module's build to a file: a line of the part,
 * the time in milliseconds since 1970, and processor milliseconds of this thread, separated by
 * tabs. Maven builds each module in one thread, in which Ant and the compiler run as well. The root
 * pom.xml calls it.
 */
public final class BuildPart {
  /** The name of the first line, with which the times of a new build begin. */
  static final String START = "start";

  private static final long NS_PER_MS = 1_000_000;

  private String name = START;
  private Path file = Path.of("parts.tsv");

  /** Sets the part that has ended. */
  public void setName(String name) {
    this.name = name;
  }

  /** Sets the file to write to. */
  public void setFile(String file) {
    this.file = Path.of(file);
  }

  /**
   * Writes the line.
   *
   * @throws IOException if the file cannot be written
   */
  public void execute() throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    if (name.equals(START)) {
      deleteFiles(folder);
    }
    long wallMs = System.currentTimeMillis();
    long cpuMs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / NS_PER_MS;
    Files.writeString(
        file,
        name + "\t" + wallMs + "\t" + cpuMs + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Deletes the times of the last build. */
  private static void deleteFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }
}
