package io.elastune.executor.search;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Search;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Generates the hyperparameters of each trial. Each trial has its own random stream, derived from
 * the seed of the search and the trial number, so that trial 7 is the same for any number of
 * trials. A grid search takes every combination, and the last dimension changes fastest.
 */
public final class Configurations {
  private static final RandomGeneratorFactory<RandomGenerator> STREAMS =
      RandomGeneratorFactory.of("L64X128MixRandom");

  private final Search search;

  public Configurations(Search search) {
    this.search = search;
  }

  /**
   * Returns the configuration of {@code trial}.
   *
   * @param trial from 1
   */
  public Map<String, Object> of(int trial) {
    return search.algorithm() == Algorithm.GRID ? combination(trial - 1) : drawn(trial);
  }

  /** Returns the seed that is passed to {@code trial}. */
  public long seedOf(int trial) {
    return stream("trial", trial).nextLong() >>> 1;
  }

  private RandomGenerator stream(String name, int trial) {
    long mixed = search.seed() * 0x9E3779B97F4A7C15L + name.hashCode() * 0x100000001B3L + trial;
    return STREAMS.create(mixed);
  }

  private Map<String, Object> drawn(int trial) {
    RandomGenerator stream = stream("configuration", trial);
    Map<String, Object> config = new LinkedHashMap<>();
    search.space().forEach((name, dimension) -> config.put(name, draw(dimension, stream)));
    return config;
  }

  private static Object draw(Dimension dimension, RandomGenerator stream) {
    Function<Dimension.Int, Object> integer =
        i -> i.log() ? logInt(i, stream) : (Object) stream.nextLong(i.low(), i.high() + 1);
    return dimension.match(
        uniform -> (Object) stream.nextDouble(uniform.low(), uniform.high()),
        log -> onLogScale(log.low(), log.high(), stream.nextDouble()),
        integer,
        choice -> choice.values().get(stream.nextInt(choice.values().size())));
  }

  private static Object logInt(Dimension.Int range, RandomGenerator stream) {
    double drawn = onLogScale(range.low() - 0.5, range.high() + 0.5, stream.nextDouble());
    return Math.min(range.high(), Math.max(range.low(), Math.round(drawn)));
  }

  private static double onLogScale(double low, double high, double share) {
    if (share == 0 || share == 1) {
      return share == 0 ? low : high; // the ends themselves, without a rounding error
    }
    return Math.exp(Math.log(low) + share * (Math.log(high) - Math.log(low)));
  }

  private Map<String, Object> combination(int index) {
    List<Map.Entry<String, Dimension>> dimensions = List.copyOf(search.space().entrySet());
    Object[] picked = new Object[dimensions.size()];
    int rest = index;
    for (int i = dimensions.size() - 1; i >= 0; i--) {
      List<Object> values = gridValues(dimensions.get(i).getValue());
      picked[i] = values.get(rest % values.size());
      rest /= values.size();
    }
    Map<String, Object> config = new LinkedHashMap<>();
    for (int i = 0; i < picked.length; i++) {
      config.put(dimensions.get(i).getKey(), picked[i]);
    }
    return config;
  }

  private static List<Object> gridValues(Dimension dimension) {
    return dimension.match(
        uniform ->
            spaced(uniform.steps().orElse(1), s -> between(uniform.low(), uniform.high(), s)),
        log -> spaced(log.steps().orElse(1), s -> onLogScale(log.low(), log.high(), s)),
        Configurations::gridInts,
        Dimension.Choice::values);
  }

  private static List<Object> gridInts(Dimension.Int range) {
    long every = range.high() - range.low() + 1;
    int steps = range.steps().orElse(Math.toIntExact(every));
    return spaced(
        steps,
        s ->
            Math.round(
                range.log()
                    ? onLogScale((double) range.low(), (double) range.high(), s)
                    : between((double) range.low(), (double) range.high(), s)));
  }

  private static double between(double low, double high, double share) {
    return low + share * (high - low);
  }

  private static List<Object> spaced(int steps, Function<Double, Object> value) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      values.add(value.apply(steps == 1 ? 0.0 : (double) i / (steps - 1)));
    }
    return values;
  }
}
