package io.elastune.executor.ray.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A model of NVIDIA GPUs.
 *
 * @param name the name in offers, such as {@code A100-80GB}
 * @param gbPerS the lowest memory bandwidth of its versions, in GB per second
 */
record NvidiaModel(String name, double gbPerS) {
  private static final String FILE = "nvidia-models.csv";
  private static final List<NvidiaModel> ALL = read();

  /**
   * Returns the model that a name of an offer or of {@code nvidia-smi} contains, such as A10G for
   * {@code NVIDIA A10G}; empty if it is not in the table.
   */
  static Optional<NvidiaModel> in(String name) {
    Set<String> words = words(name);
    return ALL.stream()
        .filter(model -> words.containsAll(words(model.name)))
        .max(Comparator.comparingInt(model -> words(model.name).size()));
  }

  private static Set<String> words(String name) {
    return Set.copyOf(List.of(name.toUpperCase(Locale.ROOT).split("[^A-Z0-9]+", -1)));
  }

  private static List<NvidiaModel> read() {
    try (InputStream stream = NvidiaModel.class.getResourceAsStream(FILE)) {
      if (stream == null) {
        throw new IllegalStateException(FILE + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .skip(1)
          .map(line -> line.split(",", 2))
          .map(parts -> new NvidiaModel(parts[0], Double.parseDouble(parts[1])))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
