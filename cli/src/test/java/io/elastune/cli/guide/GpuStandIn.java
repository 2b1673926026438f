package io.elastune.cli.guide;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The Python of a node in the guides: that of Ubuntu 22.04, which can neither run Ray of the
 * controller nor install it. It executes only the example, with a library in the place of the
 * driver of a GPU.
 */
public final class GpuStandIn {
  private GpuStandIn() {}

  /**
   * Returns the programs of a node.
   *
   * @param scratch gets the library
   */
  public static Map<String, String> programs(Path scratch) throws IOException {
    Path folder = Files.createDirectories(scratch.resolve("gpu"));
    String name = "sitecustomize.py"; // Python imports it at its start
    try (InputStream library = GpuStandIn.class.getResourceAsStream("/guide/gpu/" + name)) {
      Files.copy(library, folder.resolve(name));
    }
    return Map.of(
        "python3",
        """
        case $* in
          -V | --version) echo Python 3.10.12 ;;
          train.py) PATH=${PATH#*:} PYTHONPATH='%s' exec python3 "$@" ;;
          *) echo 'No module named venv' >&2; exit 1 ;;
        esac
        """
            .formatted(folder));
  }
}
