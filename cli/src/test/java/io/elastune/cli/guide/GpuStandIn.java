package io.elastune.cli.guide;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A library of Python in the place of the driver of a GPU, for the example of the guides. */
public final class GpuStandIn {
  private GpuStandIn() {}

  /**
   * Returns the programs of a node whose Python has the library.
   *
   * @param scratch gets the library
   */
  public static Map<String, String> programs(Path scratch) throws IOException {
    Path folder = Files.createDirectories(scratch.resolve("gpu"));
    String name = "sitecustomize.py"; // Python imports it at its start
    try (InputStream library = GpuStandIn.class.getResourceAsStream("/guide/gpu/" + name)) {
      Files.copy(library, folder.resolve(name));
    }
    return Map.of("python3", "PATH=${PATH#*:} PYTHONPATH='" + folder + "' exec python3 \"$@\"");
  }
}
