package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupSearchTest {
  private static final Chain HALVING =
      new Chain("", List.of(new TrialGroup("1", 4, 0, 1), new TrialGroup("2", 2, 1, 2)));

  private final GroupSearch search = new GroupSearch(HALVING, true);

  @Test
  void continuesTheBestTrialsWhenTheLastOneHasReachedTheBarrier() {
    GroupSearchState state = search.initial();
    double[] losses = {3, 1, Double.NaN, 2};
    for (int trial = 1; trial < 4; trial++) {
      SearchStep<GroupSearchState> step = search.step(state, reached(trial, losses[trial - 1]));
      assertThat(step.decisions()).isEmpty();
      state = step.state();
    }

    assertThat(search.step(state, reached(4, losses[3])).decisions())
        .containsExactly(
            new SearchDecision.EndGroup(0),
            new SearchDecision.Stop(1),
            new SearchDecision.Stop(3),
            new SearchDecision.BeginGroup(1, List.of(2, 4)));
  }

  @Test
  void completesTheTrialsOfTheLastGroup() {
    GroupSearchState state = GroupSearchState.of(1, 4, List.of(2, 4));
    state = search.step(state, reached(4, 1)).state();

    assertThat(search.step(state, new SearchEvent.Dropped(2)).decisions())
        .containsExactly(
            new SearchDecision.EndGroup(1),
            new SearchDecision.Complete(4),
            new SearchDecision.Finished());
  }

  @Test
  void beginsTheNextBracketIfNoTrialCanBeCompared() {
    Chain brackets =
        new Chain(
            "",
            List.of(
                new TrialGroup("a.1", 2, 0, 1),
                new TrialGroup("a.2", 1, 1, 2),
                new TrialGroup("b.1", 1, 0, 2)));
    GroupSearch both = new GroupSearch(brackets, true);
    GroupSearchState state = both.step(both.initial(), new SearchEvent.Dropped(1)).state();

    assertThat(both.step(state, reached(2, Double.NaN)).decisions())
        .containsExactly(
            new SearchDecision.EndGroup(0),
            new SearchDecision.Stop(2),
            new SearchDecision.BeginGroup(2, List.of(3)));
  }

  @Test
  void endsIfNoTrialCanBeCompared() {
    GroupSearchState state = search.initial();
    for (int trial = 1; trial < 4; trial++) {
      state = search.step(state, new SearchEvent.Dropped(trial)).state();
    }
    SearchStep<GroupSearchState> last = search.step(state, reached(4, Double.NaN));

    assertThat(last.decisions())
        .containsExactly(
            new SearchDecision.EndGroup(0),
            new SearchDecision.Stop(4),
            new SearchDecision.Finished());
    assertThat(search.demand(last.state())).isZero();
  }

  @Test
  void breaksTiesByTheLowerTrial() {
    GroupSearchState state = search.initial();
    for (int trial = 4; trial > 1; trial--) {
      state = search.step(state, reached(trial, 7)).state();
    }

    assertThat(search.step(state, reached(1, 7)).decisions())
        .contains(new SearchDecision.BeginGroup(1, List.of(1, 2)));
  }

  @Test
  void startsNewTrialsInAGroupThatStartsAtUnitZero() {
    Chain measured =
        new Chain("", List.of(new TrialGroup("1", 1, 0, 2), new TrialGroup("2", 2, 0, 2)));
    GroupSearch measuring = new GroupSearch(measured, false);

    assertThat(measuring.step(measuring.initial(), reached(1, Double.NaN)).decisions())
        .containsExactly(
            new SearchDecision.EndGroup(0),
            new SearchDecision.Complete(1),
            new SearchDecision.BeginGroup(1, List.of(2, 3)));
  }

  @Test
  void ignoresUnknownAndRepeatedResults() {
    GroupSearchState state = search.step(search.initial(), reached(1, 1)).state();

    assertThat(search.step(state, reached(1, 9)).state()).isEqualTo(state);
    assertThat(search.step(state, reached(9, 9)).state()).isEqualTo(state);
  }

  private static SearchEvent.Reached reached(int trial, double loss) {
    return new SearchEvent.Reached(trial, loss, false);
  }
}
