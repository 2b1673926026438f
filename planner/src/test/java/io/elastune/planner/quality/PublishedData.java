package io.elastune.planner.quality;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Published measurements and prices from which random jobs are built.
 *
 * @param programs training programs with their scaling on one GPU model
 * @param types instance types with their list prices
 */
record PublishedData(List<Program> programs, List<Type> types) {
  /** The published data, read once. */
  static final PublishedData PUBLISHED = new PublishedData(readPrograms(), readTypes());

  /**
   * A training program on one GPU model.
   *
   * @param perSecond relative work per second, by GPUs
   */
  record Program(String gpu, String name, Map<Integer, Double> perSecond) {}

  /** An instance type. */
  record Type(String infra, String name, String gpu, int gpus, double usdPerHour) {}

  /** Returns the instance types with {@code gpus} GPUs of the model of the program. */
  List<Type> typesFor(Program program, int gpus) {
    return types.stream()
        .filter(type -> type.gpu().equals(program.gpu()) && type.gpus() == gpus)
        .toList();
  }

  private static List<Program> readPrograms() {
    Map<String, Program> programs = new TreeMap<>();
    for (String[] row : rows("scaling.csv")) {
      programs
          .computeIfAbsent(
              row[0] + "," + row[1], key -> new Program(row[0], row[1], new TreeMap<>()))
          .perSecond()
          .put(Integer.valueOf(row[2]), Double.valueOf(row[3]));
    }
    return List.copyOf(programs.values());
  }

  private static List<Type> readTypes() {
    List<Type> types = new ArrayList<>();
    for (String[] row : rows("prices.csv")) {
      types.add(
          new Type(row[0], row[1], row[2], Integer.parseInt(row[3]), Double.parseDouble(row[4])));
    }
    return List.copyOf(types);
  }

  /** Returns the rows of a file without comments and header. */
  private static List<String[]> rows(String file) {
    try (InputStream in =
        Objects.requireNonNull(PublishedData.class.getResourceAsStream("/quality/" + file), file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .skip(1)
          .map(line -> line.split(",", -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
