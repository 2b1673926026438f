package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.properties.Tier;
import io.elastune.core.search.PresentGroup;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests runs with re-planning, from random legal plans. */
class ReplannedRehearsalTest {
  private static final int JOBS = Tier.runs("elastune.rehearsal.replanned", 2, 40);
  private static final int SEEDS = 2;

  @ParameterizedTest
  @ValueSource(doubles = {0.7, 1.5})
  void replanningViolatesNoInvariant(double slower) {
    violateNoInvariant(RandomRehearsals::of, slower);
  }

  /** Chains that share instances (docs/searches.md, "Shared instances"). */
  @ParameterizedTest
  @ValueSource(doubles = {0.7, 1.5})
  void replanningOfPoolsViolatesNoInvariant(double slower) {
    violateNoInvariant(RandomPools::of, slower);
  }

  private static void violateNoInvariant(LongFunction<PlannedRandomJob> jobs, double slower) {
    for (int job = 1; job <= JOBS; job++) {
      for (FaultRates faultRates : List.of(FaultRates.NORMAL, FaultRates.HEAVY)) {
        Rehearsal rehearsal = new Rehearsal(job(jobs.apply(job), slower, faultRates));
        for (int seed = 1; seed <= SEEDS; seed++) {
          RehearsedRun run = rehearsal.run(seed);
          assertThat(run.violations()).as("job %d, seed %d, %s", job, seed, faultRates).isEmpty();
        }
      }
    }
  }

  @Test
  void replanningMeetsMoreDeadlines() {
    meetMoreDeadlines(RandomRehearsals::of);
  }

  @Test
  void replanningOfPoolsMeetsMoreDeadlines() {
    meetMoreDeadlines(RandomPools::of);
  }

  private static void meetMoreDeadlines(LongFunction<PlannedRandomJob> jobs) {
    int more = 0;
    for (int job = 1; job <= JOBS; job++) {
      more += moreDeadlinesMet(job(jobs.apply(job), 1.5, FaultRates.NONE), SEEDS);
    }
    assertThat(more).isGreaterThan(JOBS * SEEDS / 4);
  }

  /** Returns how many more runs of a job meet its deadline than with a fixed plan. */
  static int moreDeadlinesMet(RehearsedJob replanned, int seeds) {
    RehearsedJob fixed =
        new RehearsedJob(
            replanned.definition().withoutReplanning(),
            replanned.problem(),
            replanned.keep(),
            replanned.faults());
    int more = 0;
    for (int seed = 1; seed <= seeds; seed++) {
      more += new Rehearsal(replanned).run(seed).exit() == 0 ? 1 : 0;
      more -= new Rehearsal(fixed).run(seed).exit() == 0 ? 1 : 0;
    }
    return more;
  }

  /** The planner samples the rest from the trials in progress, with their places. */
  @Test
  void requestsOfPoolsStateTheTrialsOneByOne() {
    List<ReplanRequest> asked = new ArrayList<>();
    for (int job = 1; job <= JOBS; job++) {
      var unused =
          new Rehearsal(
                  job(RandomPools.of(job), 1.5, FaultRates.NORMAL),
                  definition -> {
                    RunCore core = new RunCore(definition);
                    return (state, event) -> {
                      StepResult step = core.step(state, event);
                      for (Command command : step.commands()) {
                        if (command instanceof Command.Replan replan) {
                          asked.add(replan.question());
                        }
                      }
                      return step;
                    };
                  })
              .run(1);
    }

    int running = 0;
    for (ReplanRequest request : asked) {
      int held = request.chains().get(0).held().size();
      for (ReplanRequest.ChainProgress chain : request.chains()) {
        PresentGroup present = chain.present().orElseThrow();
        assertThat(present.running().size() + present.waiting().size())
            .isEqualTo(present.group().trials())
            .isGreaterThanOrEqualTo(chain.underWay().trials());
        assertThat(present.waiting()).allMatch(done -> done < present.group().units());
        for (PresentGroup.RunningTrial trial : present.running()) {
          assertThat(trial.instance()).isBetween(0, held - 1);
          assertThat(trial.leftS()).isNotNegative();
          running++;
        }
      }
    }
    assertThat(running).isPositive();
  }

  @Test
  void sameSeedGivesTheSameRun() {
    Rehearsal rehearsal = new Rehearsal(job(RandomRehearsals.of(3), 1.5, FaultRates.HEAVY));

    for (int seed = 1; seed <= SEEDS; seed++) {
      assertThat(rehearsal.run(seed)).isEqualTo(rehearsal.run(seed));
    }
  }

  private static RehearsedJob job(
      PlannedRandomJob plannedRandomJob, double slower, FaultRates faultRates) {
    Estimate estimate =
        new Simulator(plannedRandomJob.problem(), 200).simulate(plannedRandomJob.plan());
    return plannedRandomJob.replanned(
        1.3 * estimate.completionS().mean(), 3 * estimate.costUsd().mean(), slower, faultRates);
  }
}
