package io.elastune.cli.imports;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The functions of Ray Tune that define search spaces, with the names of their arguments. */
final class RayFunctions {
  static final String GRID = "grid_search";
  static final String CHOICE = "choice";
  static final String SAMPLE = "sample_from";

  /** A program in the files of older versions. */
  static final String EVAL = "eval";

  private static final List<String> RANGE = List.of("lower", "upper");
  private static final List<String> STEPS = List.of("lower", "upper", "q");
  private static final List<String> LOG_STEPS = List.of("lower", "upper", "q", "base");
  private static final Map<String, List<String>> ARGUMENTS =
      Map.ofEntries(
          Map.entry("uniform", RANGE),
          Map.entry("quniform", STEPS),
          Map.entry("loguniform", List.of("lower", "upper", "base")),
          Map.entry("qloguniform", LOG_STEPS),
          Map.entry("randn", List.of("mean", "sd")),
          Map.entry("qrandn", List.of("mean", "sd", "q")),
          Map.entry("randint", RANGE),
          Map.entry("qrandint", STEPS),
          Map.entry("lograndint", List.of("lower", "upper", "base")),
          Map.entry("qlograndint", LOG_STEPS),
          Map.entry(CHOICE, List.of("categories")),
          Map.entry(GRID, List.of("values")),
          Map.entry(SAMPLE, List.of("func")),
          Map.entry(EVAL, List.of("func")));

  private RayFunctions() {}

  /** Returns the name of a function without its module; empty if there is none of this name. */
  static Optional<String> find(String text) {
    String name = text.strip().replaceFirst("^(?:ray\\.)?(?:tune\\.)?", "");
    return ARGUMENTS.containsKey(name) ? Optional.of(name) : Optional.empty();
  }

  /** Returns the names of the arguments of a function. */
  static List<String> arguments(String function) {
    return ARGUMENTS.getOrDefault(function, List.of());
  }
}
