package io.elastune.executor.search;

import io.elastune.core.job.Dimension;
import io.elastune.core.job.Search;
import io.elastune.core.search.ConfigurationGrid;
import io.elastune.core.search.SpacePoint;
import io.elastune.core.search.SpaceSize;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Draws the configurations of a search by number, without replacement. The first ones are those of
 * the user and of an earlier run, with their missing values drawn. A configuration that equals an
 * earlier one is drawn again, from the same random stream; so a configuration depends on those
 * before it, and only if they are equal. Once a finite space is exhausted, it starts again.
 */
final class DistinctDraws {
  /** After so many equal ones, an unused one is chosen from all of a finite space. */
  private static final int MOST_DRAWS = 100;

  private final Map<String, Dimension> space;
  private final List<Map<String, Object>> first;
  private final boolean withReplacement;
  private final IntFunction<RandomGenerator> streams;
  private final List<Map<String, Object>> drawn = new ArrayList<>();
  private final Set<Map<String, Object>> used = new HashSet<>();

  /**
   * Creates the draws of a search.
   *
   * @param streams returns a new random stream for the number of a configuration
   */
  DistinctDraws(Search search, IntFunction<RandomGenerator> streams) {
    this.space = search.space();
    this.first = search.firstConfigurations();
    this.withReplacement = search.drawsWithReplacement();
    this.streams = streams;
  }

  /** Returns a configuration by its number, from 1. */
  synchronized Map<String, Object> get(int number) {
    if (withReplacement) {
      return draw(number, streams.apply(number));
    }
    if (drawn.isEmpty()) { // complete ones are not drawn in place of those before them
      first.stream().filter(this::isComplete).forEach(used::add);
    }
    while (drawn.size() < number) {
      drawn.add(next(drawn.size() + 1));
    }
    return drawn.get(number - 1);
  }

  private boolean isComplete(Map<String, Object> configuration) {
    return SpacePoint.complete(space, configuration).why().isEmpty();
  }

  private Map<String, Object> next(int number) {
    if (number <= first.size() && isComplete(first.get(number - 1))) {
      return draw(number, streams.apply(number));
    }
    RandomGenerator stream = streams.apply(number);
    Map<String, Object> found = draw(number, stream);
    for (int draws = 1; used.contains(found) && draws < MOST_DRAWS; draws++) {
      found = draw(number, stream);
    }
    if (used.contains(found)) {
      found = unused(number, stream).orElse(found);
    }
    used.add(found);
    return found;
  }

  /** Chooses an unused configuration of a finite space, or any after all have been used. */
  private Optional<Map<String, Object>> unused(int number, RandomGenerator stream) {
    List<Map<String, Object>> all = all();
    Map<String, Object> given = number <= first.size() ? first.get(number - 1) : Map.of();
    List<Map<String, Object>> left =
        all.stream()
            .filter(one -> !used.contains(one) && one.entrySet().containsAll(given.entrySet()))
            .toList();
    if (left.isEmpty() && !all.isEmpty() && used.containsAll(all)) {
      used.clear();
      return Optional.empty();
    }
    return choose(left, stream);
  }

  /**
   * Returns a configuration that is not among those tried; empty if none is found.
   *
   * @param trial the trial that it is for
   */
  Optional<Map<String, Object>> untried(Collection<Map<String, Object>> tried, int trial) {
    if (withReplacement) {
      return Optional.empty();
    }
    RandomGenerator stream = streams.apply(trial);
    List<Map<String, Object>> all = all();
    if (!all.isEmpty()) {
      return choose(all.stream().filter(one -> !tried.contains(one)).toList(), stream);
    }
    return Stream.generate(() -> draw(Integer.MAX_VALUE, stream))
        .limit(MOST_DRAWS)
        .filter(one -> !tried.contains(one))
        .findFirst();
  }

  private static Optional<Map<String, Object>> choose(
      List<Map<String, Object>> left, RandomGenerator stream) {
    return left.isEmpty() ? Optional.empty() : Optional.of(left.get(stream.nextInt(left.size())));
  }

  /** Returns all configurations of a finite space; none of an infinite one. */
  private List<Map<String, Object>> all() {
    List<Map<String, Object>> all = new ArrayList<>();
    SpaceSize.of(space)
        .ifPresent(
            size -> {
              ConfigurationGrid grid = new ConfigurationGrid(space);
              for (int index = 0; index < size; index++) {
                all.add(grid.get(index));
              }
            });
    return all;
  }

  /** Draws every value, so that no value depends on the conditions of other hyperparameters. */
  private Map<String, Object> draw(int number, RandomGenerator stream) {
    Map<String, Object> config = new LinkedHashMap<>();
    space.forEach((name, dimension) -> config.put(name, dimension.draw(stream)));
    if (number <= first.size()) {
      config.putAll(first.get(number - 1));
    }
    return ConfigurationGrid.withConditions(space, config);
  }
}
