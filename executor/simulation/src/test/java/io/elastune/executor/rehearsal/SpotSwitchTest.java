package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.core.plan.Problem;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Runs a job with {@code market: auto} in one zone with four preemptions per hour, and a deadline
 * close to what on-demand capacity needs. It starts on spot and must leave it in some runs.
 */
class SpotSwitchTest {
  private static final double DEADLINE_S = 2800;
  private static final int RUNS = 40;
  private static final double CONFIDENCE = 0.9;

  /** Two standard errors of a share of 0.9 in 40 runs. */
  private static final double TOLERANCE = 0.095;

  /** Preemptions at different times, and how the run ended. */
  private record Course(
      RehearsedRun run, int storms, Map<Reason, Integer> reasons, Set<ReplanReason.Cause> causes) {
    boolean leftSpot() {
      return reasons.containsKey(ReasonCode.SPOT_LEFT);
    }
  }

  private static Course course(RunDefinition definition, Problem problem, long seed) {
    Set<Instant> storms = new TreeSet<>();
    Map<Reason, Integer> reasons = new HashMap<>();
    Set<ReplanReason.Cause> causes = EnumSet.noneOf(ReplanReason.Cause.class);
    RehearsedRun run =
        new Rehearsal(
                new RehearsedJob(definition, problem, 2, FaultRates.NONE),
                known -> {
                  RunCore core = new RunCore(known);
                  return (state, event) -> {
                    StepResult result = core.step(state, event);
                    for (Reason code : codes(result)) {
                      reasons.merge(code, 1, Integer::sum);
                      if (code == ReasonCode.PREEMPTION) {
                        storms.add(result.state().now());
                      }
                    }
                    for (Command command : result.commands()) {
                      if (command instanceof Command.Replan replan) {
                        causes.add(replan.reason().cause());
                      }
                    }
                    return result;
                  };
                })
            .run(seed);
    return new Course(run, storms.size(), reasons, causes);
  }

  private static List<Reason> codes(StepResult result) {
    List<Reason> codes = new ArrayList<>();
    for (JournalNote note : result.notes()) {
      if (note instanceof JournalNote.Decision decision) {
        codes.add(decision.reason().code());
      }
    }
    return codes;
  }

  @Test
  void meetsTheDeadlineInSpiteOfStormsByLeavingSpot() {
    Problem problem =
        SpotJob.problem(
            OptionalDouble.of(DEADLINE_S),
            1,
            List.of(SpotJob.offer(0.0003, 0), SpotJob.offer(0.0003, 4)));
    PlanResult.Found found = (PlanResult.Found) new Planner(problem, PlannerOptions.DEFAULT).plan();
    assertThat(found.plan().allocations().values())
        .allMatch(one -> problem.offer(one.offer()).orElseThrow().market() == Market.SPOT);
    RunDefinition definition = SpotJob.definition(problem, found.plan(), found.estimate(), true);

    List<Course> courses = new ArrayList<>();
    for (long seed = 1; seed <= RUNS; seed++) {
      Course course = course(definition, problem, seed);
      assertThat(course.run().violations()).as("seed %d", seed).isEmpty();
      courses.add(course);
    }

    List<Course> onTime = courses.stream().filter(course -> course.run().exit() == 0).toList();
    assertThat((double) onTime.size() / RUNS).isGreaterThan(CONFIDENCE - TOLERANCE);
    assertThat(onTime).filteredOn(Course::leftSpot).hasSizeGreaterThan(RUNS / 4);
    assertThat(onTime).filteredOn(Course::leftSpot).anyMatch(course -> course.storms() >= 3);
    assertThat(courses).anyMatch(course -> course.causes().contains(ReplanReason.Cause.SLACK));
  }
}
