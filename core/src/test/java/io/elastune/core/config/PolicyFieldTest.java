package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Brackets;
import io.elastune.core.job.Job;
import io.elastune.core.job.Search;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.policy.ListOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the field {@code policy} and {@code resources.instances} of a job file. */
class PolicyFieldTest {
  private static final String SHORT =
      """
      name: small
      deadline: 1h
      search:
        algorithm: sha
        trials: 9
        metric: {name: loss, goal: minimize}
        resource: {unit: step, max: 9}
        space: {x: {type: uniform, low: 0, high: 1}}
      trial: {run: ./train}
      resources: {infra: [aws/us-east-1], instances: 2}
      %s
      """;
  private static final String WITHOUT_CLUSTER = SHORT.replace(", instances: 2", "");
  private static final String FIXED_CLUSTER =
      "fluid needs a fixed cluster; set resources.instances and one instance type";

  @Test
  void isListByDefault() {
    assertThat(job(SHORT, "").policy()).isEqualTo(ListOptions.DEFAULT);
    assertThat(job(SHORT, "policy: list")).isEqualTo(job(SHORT, "policy: {type: list}"));
    assertThat(job(SHORT, "").hasFixedCluster()).isTrue();
    assertThat(job(WITHOUT_CLUSTER, "").hasFixedCluster()).isFalse();
    assertThat(job(SHORT, "").resources().maxInstances()).isEqualTo(2);
  }

  @Test
  void readsOptionsOfFluid() {
    assertThat(job(SHORT, "policy: fluid").policy()).isEqualTo(FluidOptions.DEFAULT);
    assertThat(
            job(
                    SHORT,
                    "policy: {type: fluid, dynamic: false, max_gpus: 4, max_share: 2,"
                        + " share_gain: 0.1, resize_cost: 12s}")
                .policy())
        .isEqualTo(
            new FluidOptions(
                false,
                OptionalInt.of(4),
                OptionalInt.of(2),
                0.1,
                Optional.of(Duration.ofSeconds(12))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy: fluid",
        "policy: {type: fluid, dynamic: false, max_share: 3, resize_cost: 1500ms}",
        "policy: list"
      })
  void isWrittenAsItIsRead(String field) {
    Job job = job(SHORT, field.replace("1500ms", "90s"));

    assertThat(JobFile.parse("again", JobFile.write(job), Overrides.NONE).orThrow()).isEqualTo(job);
  }

  @Test
  void refusesUnknownPoliciesAndOptions() {
    assertThat(problems(SHORT, "policy: fluidd"))
        .containsExactly(
            "job.yaml:11: policy: must be one of list, fluid, hermes, hypersched, not the string"
                + " \"fluidd\" (did you mean fluid?)");
    assertThat(problems(SHORT, "policy: {type: fluid, max_gpus: 0}"))
        .containsExactly(
            "job.yaml:11: policy.max_gpus: must be a whole number of at least 1, not 0");
    assertThat(problems(SHORT, "policy: {type: list, dynamic: true}")).hasSize(1);
  }

  @Test
  void needsAFixedCluster() {
    assertThat(problems(WITHOUT_CLUSTER, "policy: fluid"))
        .containsExactly("job.yaml:11: policy: " + FIXED_CLUSTER);
    assertThat(problems(WITHOUT_CLUSTER.replace("aws/us-east-1", "local"), "policy: fluid"))
        .isEmpty();
    assertThat(problems(WITHOUT_CLUSTER, "policy: list")).isEmpty();
  }

  @Test
  void needsCheckpointsToChangeTheGpusOfATrial() {
    String text = SHORT.replace("{run: ./train}", "{run: ./train, resumable: false}");

    assertThat(problems(text, "policy: fluid"))
        .containsExactly(
            "job.yaml:11: policy: fluid preempts trials and needs checkpoints (save checkpoints,"
                + " or use policy: {type: fluid, dynamic: false})");
    assertThat(problems(text, "policy: {type: fluid, dynamic: false}")).isEmpty();
  }

  @Test
  void fluidPromotesTrialsOfAsha() {
    String asha = SHORT.replace("sha\n", "asha\n");
    String stopping = asha.replace("asha\n", "asha\n  asha: {variant: stopping}\n");

    assertThat(problems(asha, "policy: fluid")).isEmpty();
    assertThat(problems(stopping, "policy: fluid"))
        .containsExactly(
            "job.yaml:12: policy: fluid works with search.asha.variant: promotion only"
                + " (leave variant out, or use policy: list)");
  }

  @Test
  void readsOptionsOfHermes() {
    String random = SHORT.replace("sha\n", "random\n");
    String maximized = random.replace("goal: minimize", "goal: maximize");

    assertThat(job(maximized, "policy: hermes").policy()).isEqualTo(HermesOptions.DEFAULT);
    assertThat(job(random, "policy: {type: hermes, jobs_per_gpu: 4, slice: 5}").policy())
        .isEqualTo(new HermesOptions(4, 5, true));
    for (String field : List.of("policy: hermes", "policy: {type: hermes, slice: 7}")) {
      Job job = job(random, field);
      assertThat(JobFile.parse("again", JobFile.write(job), Overrides.NONE).orThrow())
          .isEqualTo(job);
    }
  }

  @Test
  void refusesWhatHermesCannotDo() {
    String random = SHORT.replace("sha\n", "random\n");
    String line = "job.yaml:11: policy: hermes ";

    for (String other : List.of("sha\n", "asha\n", "pbt\n")) {
      assertThat(problems(SHORT.replace("sha\n", other), "policy: hermes"))
          .containsExactly(
              line
                  + "works with random and grid: rungs and barriers already stop trials"
                  + " (use one of them, or another policy)");
    }
    String unsaved = random.replace("{run: ./train}", "{run: ./train, resumable: false}");
    assertThat(problems(unsaved, "policy: hermes"))
        .containsExactly(
            line + "preempts trials and needs checkpoints (save checkpoints, or use policy: list)");
    assertThat(problems(random.replace(", instances: 2", ""), "policy: hermes"))
        .containsExactly(
            line + "needs a fixed cluster; set resources.instances and one instance type");
    assertThat(problems(random, "policy: {type: hermes, slice: 1}"))
        .containsExactly("job.yaml:11: policy.slice: must be a whole number of at least 2, not 1");
    assertThat(problems(random, "policy: {type: hermes, jobs_per_gpu: 0}"))
        .containsExactly(
            "job.yaml:11: policy.jobs_per_gpu: must be a whole number of at least 1, not 0");
  }

  @Test
  void readsOptionsOfHyperSched() {
    String asha = SHORT.replace("sha\n", "asha\n");

    assertThat(job(asha, "policy: hypersched").policy())
        .isEqualTo(HyperSchedOptions.DEFAULT.forMetric(true));
    assertThat(job(asha, "policy: {type: hypersched, resize_gain: 1.2, resize_after: 3}").policy())
        .isEqualTo(new HyperSchedOptions(1.2, 3, true));
  }

  @Test
  void hyperSchedSetsVariantAndEta() {
    String asha = SHORT.replace("sha\n", "asha\n");
    String withEta = asha.replace("trials: 9", "trials: 9\n  eta: 3");

    Search search = job(asha, "policy: hypersched").search();
    assertThat(search.eta()).isEqualTo(4);
    assertThat(search.asha().orElseThrow().variant()).isEqualTo(RungRule.Variant.STOPPING);
    assertThat(job(withEta, "policy: hypersched").search().eta()).isEqualTo(3);
    assertThat(job(asha, "").search().eta()).isEqualTo(3);
    Job job = job(asha, "policy: hypersched");
    assertThat(JobFile.parse("again", JobFile.write(job), Overrides.NONE).orThrow()).isEqualTo(job);
  }

  @Test
  void refusesWhatHyperSchedDecides() {
    String asha = SHORT.replace("sha\n", "asha\n");
    String line = "job.yaml:11: policy: hypersched ";
    String field = "policy: hypersched";

    assertThat(problems(SHORT, field))
        .containsExactly(line + "works with asha only (use asha, or another policy)");
    assertThat(problems(asha.replace("deadline: 1h", "budget: {usd: 9}"), field))
        .containsExactly(
            line + "needs a deadline, and sets variant and stop.time itself (set deadline)");
    assertThat(problems(asha.replace("asha\n", "asha\n  asha: {variant: promotion}\n"), field))
        .containsExactly(
            "job.yaml:12: policy: hypersched decides search.asha.variant itself (leave it out)");
    assertThat(problems(asha.replace("asha\n", "asha\n  asha: {concurrency: 3}\n"), field))
        .containsExactly(
            "job.yaml:12: policy: hypersched decides search.asha.concurrency itself"
                + " (leave it out)");
    assertThat(problems(asha.replace("asha\n", "asha\n  stop: {trained: 3}\n"), field))
        .containsExactly(
            "job.yaml:12: policy: hypersched ends at the deadline (leave out search.stop.trained)");
    assertThat(problems(asha.replace("{run: ./train}", "{run: ./train, resumable: false}"), field))
        .containsExactly(
            line + "preempts trials and needs checkpoints (save checkpoints, or use policy: list)");
    assertThat(problems(asha.replace(", instances: 2", ""), field))
        .containsExactly(
            line + "needs a fixed cluster; set resources.instances and one instance type");
  }

  @Test
  void bracketsShareAFixedCluster() {
    String hyperband = SHORT.replace("sha\n  trials: 9", "hyperband");
    String separate = hyperband.replace("hyperband", "hyperband\n  brackets: separate");

    assertThat(job(hyperband, "").search().brackets()).contains(Brackets.SHARED);
    assertThat(job(hyperband, "policy: fluid").search().brackets()).contains(Brackets.SEQUENTIAL);
    assertThat(problems(separate.replace("separate", "shared"), "policy: fluid"))
        .singleElement()
        .asString()
        .contains("brackets: shared is not possible with policy fluid");
    assertThat(problems(separate.replace("separate", "shared"), "")).isEmpty();
    assertThat(problems(separate, "")).hasSize(1).first().asString().contains("brackets: separate");
    assertThat(problems(separate.replace(", instances: 2", ""), "")).isEmpty();
  }

  @Test
  void refusesTwoNumbersOfInstances() {
    assertThat(problems(SHORT.replace("instances: 2", "instances: 2, max_instances: 4"), ""))
        .containsExactly(
            "job.yaml:10: resources.instances: cannot be combined with max_instances"
                + " (leave one of them out)");
  }

  @Test
  void optionsOverrideTheFields() {
    Overrides overrides = instances("3").policy(Optional.of("fluid")).build();
    String text = WITHOUT_CLUSTER.replace("aws/us-east-1]", "aws/us-east-1], max_instances: 8");

    Job job = JobFile.parse("job.yaml", text.formatted(""), overrides).orThrow();

    assertThat(job.policy()).isEqualTo(FluidOptions.DEFAULT);
    assertThat(job.resources().instances()).contains(3);
    assertThat(job.resources().maxInstances()).isEqualTo(3);
  }

  private static OverridesBuilder instances(String number) {
    return Overrides.builder().instances(Optional.of(number));
  }

  private static Job job(String text, String field) {
    return JobFile.parse("job.yaml", text.formatted(field), Overrides.NONE).orThrow();
  }

  private static List<String> problems(String text, String field) {
    return JobFile.parse("job.yaml", text.formatted(field), Overrides.NONE).problems().stream()
        .map(FileProblem::toString)
        .toList();
  }
}
