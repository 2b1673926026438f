package io.elastune.simulator.group;

import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.LeasePlan;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The trials that continue from group to group in one sample, and where they ran, if it matters
 * (docs/model.md, "Time"). Not thread-safe.
 */
final class Promotions {
  private static final int[] NONE = {};

  // By group of the workload.
  private final Map<Integer, DrawReader> keys = new HashMap<>();
  // By chain.
  private final TrialHomes[] homes;

  /** Creates promotions between {@code groups}, whose chains have the {@code leases}. */
  Promotions(CompiledGroup[] groups, Stream<LeasePlan> leases) {
    for (CompiledGroup group : groups) {
      group.promotion().ifPresent(one -> keys.put(group.group(), new DrawReader(one.keys())));
    }
    homes = leases.map(chain -> new TrialHomes()).toArray(TrialHomes[]::new);
  }

  /** Returns the trials of {@code group} that continue in {@code sample}, in their order. */
  private int[] draw(CompiledGroup group, int sample) {
    DrawReader reader = Objects.requireNonNull(keys.get(group.group()));
    int from = reader.offset(sample);
    double[] own = Arrays.copyOfRange(reader.values(), from, from + group.trials());
    double[] sorted = own.clone();
    Arrays.sort(sorted);
    double largest = sorted[group.promotion().orElseThrow().trials() - 1];
    return IntStream.range(0, own.length).filter(trial -> own[trial] <= largest).toArray();
  }

  /** Begins a sample, in which no trial has run yet. */
  void clear() {
    for (TrialHomes chain : homes) {
      chain.remember(List.of());
    }
  }

  /** Returns where the trials ran that continue, by chain. */
  List<List<int[]>> state() {
    return Stream.of(homes).map(TrialHomes::known).toList();
  }

  /** Sets where the trials ran that continue, by chain. */
  void restore(List<List<int[]>> state) {
    for (int chain = 0; chain < homes.length; chain++) {
      homes[chain].remember(state.get(chain));
    }
  }

  /** Records where the trials that continue ran. {@code slotOf} has the slot of each trial. */
  void endGroup(CompiledGroup group, Teams teams, int[] slotOf, int sample) {
    // Most groups promote no trials: to create the lambda expression takes long.
    if (group.promotion().isEmpty()) {
      homes[group.chain()].remember(List.of());
    } else {
      endGroup(group, sample, trial -> teams.numbers(slotOf[trial] / group.perTeam()));
    }
  }

  /**
   * Records where the trials that continue ran.
   *
   * @param instances returns the instances on which a trial ran
   */
  void endGroup(CompiledGroup group, int sample, IntFunction<int[]> instances) {
    homes[group.chain()].remember(
        group.promotion().isEmpty()
            ? List.of()
            : IntStream.of(draw(group, sample)).mapToObj(instances).toList());
  }

  /** Returns where the trials of a group ran that continue in it. */
  TrialHomes homes(CompiledGroup group) {
    return homes[group.chain()];
  }

  /**
   * Returns how many trials of {@code group} start on each of its teams; none at all if they start
   * as in every group, because it does not matter or because it has no more slots than trials.
   *
   * @param firstNew number of the first instance that the group requested
   */
  int[] startGroup(CompiledGroup group, Teams teams, int firstNew, double startS) {
    TrialHomes known = homes[group.chain()];
    return known.areKnown() ? known.place(group, teams, firstNew, startS) : NONE;
  }
}
