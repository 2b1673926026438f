package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import io.elastune.core.job.SamplerOptions;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.TrialGroups;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks fields and options of searches, and what they refuse (docs/searches.md). */
class AsynchronousFieldsTest {
  private static final String JOB =
      """
      name: small
      deadline: 1h
      search:
        algorithm: %s
        metric: {name: loss, goal: minimize}
        resource: {unit: step, %s}
        space: {x: {type: uniform, low: 0, high: 1}}
        %s
      trial: {run: ./train}
      """;

  @ParameterizedTest
  @CsvSource({
    "5, 81, 3, 0, 1 3 9 27 81",
    "4, 100, 3, 0, 3 11 33 100",
    "4, 100, 3, 1, 11 33 100",
    "2, 64, 4, 0, 16 64",
    "3, 2, 2, 0, ''",
  })
  void rungsCountFromTheEnd(int rungs, int max, int eta, int startRung, String targets) {
    String asha =
        JOB.formatted(
            "asha",
            "rungs: " + rungs + ", max: " + max,
            "trials: 9\n  eta: " + eta + "\n  asha: {start_rung: " + startRung + "}");
    if (targets.isEmpty()) {
      assertThat(problems(asha))
          .containsExactly(
              "job.yaml:6: search.resource.rungs: leaves two rungs the same target: [1, 1, 2]"
                  + " (use fewer rungs)");
      return;
    }

    Job job = job(asha, Overrides.NONE);
    RungRule rule = TrialGroups.of(job.search()).rungs().orElseThrow();
    assertThat(rule.targets().stream().map(String::valueOf).toList())
        .isEqualTo(List.of(targets.split(" ", -1)));
    assertThat(JobFile.parse("again", JobFile.write(job), Overrides.NONE).orThrow()).isEqualTo(job);
  }

  @Test
  void refusesRungsThatNothingUses() {
    assertThat(problems(JOB.formatted("asha", "min: 2, rungs: 3, max: 9", "trials: 9")))
        .containsExactly(
            "job.yaml:6: search.resource.rungs: cannot be combined with min, which is the first"
                + " target (leave one out)");
    assertThat(problems(JOB.formatted("sha", "rungs: 3, max: 9", "trials: 9")))
        .containsExactly("job.yaml:6: search.resource.rungs: is used by asha only (use min)");
    assertThat(problems(JOB.formatted("asha", "rungs: 1, max: 9", "trials: 9"))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"bohb", "tpe"})
  void namesWhatReplacesASampler(String algorithm) {
    assertThat(problems(JOB.formatted(algorithm, "max: 9", "trials: 9")))
        .singleElement()
        .asString()
        .contains(algorithm)
        .contains("use algorithm: hyperband (or asha) with sampler: {type: optuna}");
  }

  @Test
  void refusesOptionsOfOtherAlgorithms() {
    assertThat(problems(JOB.formatted("asha", "max: 9", "seed: 1")))
        .containsExactly(
            "job.yaml:3: search.trials: is missing: asha needs trials, stop.trained or stop.time"
                + " (set one of them; with policy hypersched, trials)");
    assertThat(problems(JOB.formatted("sha", "max: 9", "trials: 9\n  stop: {trained: 3}")))
        .containsExactly(
            "job.yaml:9: search.stop.trained: is used by asha only (use target, or leave it out)");
    assertThat(problems(JOB.formatted("pbt", "max: 9", "trials: 9\n  sampler: {type: optuna}")))
        .containsExactly("job.yaml:9: search.sampler: is not used by pbt (leave it out)");
    assertThat(problems(JOB.formatted("sha", "max: 9", "trials: 9\n") + "deadline_miss: close\n"))
        .singleElement()
        .asString()
        .endsWith("deadline_miss: close is used by asha only (use finish or stop)");
  }

  @Test
  void somethingElseMayEndASearchWithoutTrials() {
    Job trained = job(JOB.formatted("asha", "max: 9", "stop: {trained: 2}"), Overrides.NONE);
    String timed = JOB.formatted("asha", "max: 9", "stop: {time: 30m}");
    String fixed = timed + "resources: {instances: 2}\n";
    Job atDeadline = job(fixed.replace("30m", "deadline"), Overrides.NONE);

    RungRule rule = TrialGroups.of(trained.search()).rungs().orElseThrow();
    assertThat(rule.limitsTrials()).isFalse();
    assertThat(rule.endS(OptionalDouble.of(3600))).isEmpty();
    assertThat(stopS(job(fixed, Overrides.NONE))).hasValue(1800);
    assertThat(stopS(job(timed + "budget: {usd: 9}\n", Overrides.NONE))).hasValue(1800);
    assertThat(stopS(atDeadline)).hasValue(3600);
    for (Job job : List.of(trained, atDeadline)) {
      String written = JobFile.write(job);
      assertThat(written).doesNotContain("trials:");
      assertThat(JobFile.parse("again", written, Overrides.NONE).orThrow()).isEqualTo(job);
    }
  }

  private static OptionalDouble stopS(Job job) {
    return TrialGroups.of(job.search()).rungs().orElseThrow().endS(OptionalDouble.of(3600));
  }

  /** "/" separates lines. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "asha|stop: {time: 1h}||job.yaml:3: search.stop.time: the number of instances follows from"
            + " the budget (set budget or resources.instances)",
        "asha|stop: {time: 5}|budget: {usd: 9}|job.yaml:8: search.stop.time: must be a duration"
            + " such as 90s, 45m, 1h30m or 14d (at most 3650d), not 5 (did you mean 5s, 5m or 5h?)",
        "sha|trials: 9/  stop: {time: 1h}|budget: {usd: 9}|job.yaml:9: search.stop.time: is used by"
            + " asha only (use deadline, or leave it out)",
        "asha|stop: {trained: 2}/  max_failed_trials: 10%||job.yaml:9: search.max_failed_trials: is"
            + " a share of search.trials, which is not given (use a number)",
        "asha|trials: 9/  asha: {move_tail: true}/  stop: {time: 1h}|budget: {usd: 9}|job.yaml:3:"
            + " search.asha.move_tail: has no effect with stop.time, which ends all trials at once"
            + " (leave it out, or use trials)",
        "asha|trials: 9/  asha: {move_tail: true}|resources: {instances: 2}|job.yaml:3:"
            + " search.asha.move_tail: has no effect on a fixed cluster, which holds its instances"
            + " to the end (leave it out, or let the planner choose the instances)",
        "asha|trials: 9/  asha: {move_tail: true}|policy: fluid|job.yaml:3: search.asha.move_tail:"
            + " has no effect on a fixed cluster, which holds its instances to the end (leave it"
            + " out, or let the planner choose the instances)",
        "asha|trials: 9/  asha: {move_tail: true}|resources: {max_instances: 1}|job.yaml:3:"
            + " search.asha.move_tail: has no effect with max_instances: 1, because trials move to"
            + " other instances (leave it out, or allow more instances)",
        "asha|trials: 9/  stop: {time: 1h}|policy: hypersched/resources: {instances:"
            + " 1}|job.yaml:11: policy: hypersched ends at the deadline (leave out"
            + " search.stop.time)",
      })
  void refusesTimesThatDoNotFit(String algorithm, String search, String more, String problem) {
    String file =
        JOB.formatted(algorithm, "max: 9", search.replace('/', '\n'))
            + (more == null ? "" : more.replace('/', '\n'));

    assertThat(problems(file)).containsExactly(problem);
  }

  /** The instances of this machine have a notional price, and are free for others. */
  @Test
  void lastTrialsMoveOnThisMachineIfTheyCanResume() {
    String local = JOB.formatted("asha", "max: 9", "trials: 9\n  asha: {move_tail: true}");

    assertThat(problems(local + "resources: {infra: [local]}\n")).isEmpty();
    assertThat(problems(local.replace("./train}", "./train, resumable: false}")))
        .containsExactly(
            "job.yaml:3: search.asha.move_tail: moves trials to other instances, and needs"
                + " checkpoints (leave it out, or save checkpoints)");
  }

  @Test
  void theCostOfStorageNeedsANumberOfTrials() {
    String stored =
        JOB.formatted("asha", "max: 9", "stop: {trained: 2}")
            .replace("./train}", "./train, checkpoint: {size_gb: 2, usd_per_gb_month: 1}}");

    assertThat(problems(stored))
        .containsExactly(
            "job.yaml:3: search.trials: is missing: the cost of storing checkpoints depends on it"
                + " (set it, or leave out the size of checkpoints)");
  }

  @Test
  void bracketsStartOnePerRung() {
    String three = JOB.formatted("asha", "max: 9", "trials: 17\n  asha: {brackets: 3}");

    RungRule rule = TrialGroups.of(job(three, Overrides.NONE).search()).rungs().orElseThrow();
    assertThat(rule.newTrials()).containsExactly(9, 5, 3);
    assertThat(problems(three.replace("brackets: 3", "start_rung: 1, brackets: 3")))
        .containsExactly(
            "job.yaml:9: search.asha.brackets: must be at most 2, the number of rungs, is 3 (use"
                + " fewer brackets, or lower min or start_rung)");
    assertThat(
            problems(
                three.replace("asha: {", "eta: 4\n  asha: {")
                    + "policy: hypersched\nresources: {instances: 1}\n"))
        .singleElement()
        .asString()
        .contains("hypersched decides search.asha.brackets itself (leave it out)");
  }

  @Test
  void anOptionSelectsTheSampler() {
    String text =
        JOB.formatted("asha", "max: 9", "trials: 9\n  sampler: {type: optuna, startup: 3}");
    String without = JOB.formatted("asha", "max: 9", "trials: 9");

    assertThat(job(text, sampler("random")).search().usesSampler()).isFalse();
    SamplerOptions kept = job(text, sampler("optuna")).search().sampler().orElseThrow();
    assertThat(kept.startup()).isEqualTo(3);
    assertThat(job(without, sampler("optuna")).search().usesSampler()).isTrue();
    assertThat(JobFile.parse("job.yaml", without, sampler("bayes")).problems())
        .singleElement()
        .asString()
        .startsWith("--sampler")
        .contains("must be one of random, optuna");
  }

  private static Overrides sampler(String type) {
    return Overrides.builder().sampler(Optional.of(type)).build();
  }

  private static Job job(String text, Overrides overrides) {
    return JobFile.parse("job.yaml", text, overrides).orThrow();
  }

  private static List<String> problems(String text) {
    return JobFile.parse("job.yaml", text, Overrides.NONE).problems().stream()
        .map(FileProblem::toString)
        .toList();
  }
}
