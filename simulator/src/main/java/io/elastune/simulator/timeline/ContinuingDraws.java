package io.elastune.simulator.timeline;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.timeline.ChainsRun;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.GroupMembers;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which trials of trial groups continue, in one sample: all are equally likely, and those with the
 * smallest keys do (docs/model.md, "Time"). Not thread-safe.
 */
final class ContinuingDraws implements ChainsRun.ContinuingTrials {
  private static final int[] NONE = {};

  private final List<List<DrawReader>> keys = new ArrayList<>();
  private final List<int[]> counts;
  private final List<List<int[]>> known;
  private int sample;

  /**
   * The keys of the trials of all chains.
   *
   * @param keys by chain and group
   * @param counts by chain and group: how many continue
   * @param known by chain and group: those that continue, if learning curves decide
   */
  record Tables(List<List<DrawTable>> keys, List<int[]> counts, List<List<int[]>> known) {
    Tables {
      keys = List.copyOf(keys);
      counts = List.copyOf(counts);
      known = List.copyOf(known);
    }

    /** Returns those of a problem; none if it does not matter which trials continue. */
    static Tables of(Problem problem, Draws draws, RankModel ranks) {
      return of(problem, problem.workload().chains(), draws, ranks);
    }

    /** Returns those of some chains of a problem. */
    static Tables of(Problem problem, List<Chain> chains, Draws draws, RankModel ranks) {
      if (!problem.keepAlive()) {
        return new Tables(List.of(), List.of(), List.of());
      }
      return new Tables(
          chains.stream()
              .map(chain -> chain.groups().stream().map(draws::promotionKeys).toList())
              .toList(),
          chains.stream().map(chain -> counts(problem, chain)).toList(),
          ranks.curves().isPresent()
              ? continuing(chains, GroupMembers.of(problem, ranks))
              : List.of());
    }

    /**
     * Returns those of two groups, which are not of the problem's work if a run has trained one.
     */
    static Tables of(Problem problem, TrialGroup group, TrialGroup next, Draws draws) {
      return new Tables(
          List.of(List.of(draws.promotionKeys(group))),
          List.of(new int[] {count(problem, group, next)}),
          List.of());
    }

    private static List<List<int[]>> continuing(List<Chain> chains, GroupMembers members) {
      return chains.stream().map(chain -> continuing(chain, members)).toList();
    }

    private static List<int[]> continuing(Chain chain, GroupMembers members) {
      List<int[]> continuing = new ArrayList<>();
      for (int i = 0; i + 1 < chain.groups().size(); i++) {
        List<Integer> present = members.of(chain.groups().get(i));
        continuing.add(
            members.of(chain.groups().get(i + 1)).stream()
                .mapToInt(present::indexOf)
                .filter(trial -> trial >= 0)
                .toArray());
      }
      return continuing;
    }

    private static int[] counts(Problem problem, Chain chain) {
      List<TrialGroup> groups = chain.groups();
      return IntStream.range(0, groups.size())
          .map(i -> i + 1 < groups.size() ? count(problem, groups.get(i), groups.get(i + 1)) : 0)
          .toArray();
    }

    /** New trials replace some of a population. */
    private static int count(Problem problem, TrialGroup group, TrialGroup next) {
      if (next.fromUnit() == 0) {
        return 0;
      }
      int most = Math.min(group.trials(), next.trials());
      return problem.workload().population().map(rule -> most - rule.replaced(most)).orElse(most);
    }
  }

  ContinuingDraws(Tables tables) {
    counts = tables.counts();
    known = tables.known();
    for (List<DrawTable> chain : tables.keys()) {
      keys.add(chain.stream().map(DrawReader::new).toList());
    }
  }

  /** Begins a sample. */
  void select(int number) {
    sample = number;
  }

  @Override
  public int[] after(int chain, int group) {
    if (!known.isEmpty()) {
      return known.get(chain).get(group);
    }
    int count = counts.get(chain)[group];
    if (count == 0) {
      return NONE;
    }
    DrawReader reader = keys.get(chain).get(group);
    int from = reader.offset(sample);
    double[] own = Arrays.copyOfRange(reader.values(), from, from + reader.width());
    double[] sorted = own.clone();
    Arrays.sort(sorted);
    double largest = sorted[count - 1];
    return IntStream.range(0, own.length).filter(trial -> own[trial] <= largest).toArray();
  }
}
