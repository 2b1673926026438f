package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class PlanFileTest {
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";
  private static final String TEXT =
      """
      {
        "hold": true, "feasible": true, "estimate": {"in_budget": null},
        "prices": {"source": "x"}, "job": "small", "profile": [],
        "plan": [
          {"group": "1", "trials": 8, "units": 1, "offer": "aws/us-east-1/p3.8xlarge/on-demand",
           "instances": 4, "gpus_per_trial": 1, "trials_per_gpu": 2, "waves": 1},
          {"group": "2", "offer": "aws/us-east-1/p3.8xlarge/on-demand", "instances": 2,
           "gpus_per_trial": 8}
        ]
      }
      """;
  private static final Workload WORKLOAD =
      new Workload(
          List.of(
              new Chain("", List.of(new TrialGroup("1", 8, 0, 1), new TrialGroup("2", 4, 1, 2)))));

  @Test
  void readsKnownFieldsAndIgnoresOthers() {
    PlanDocument document = PlanFile.parse("plan.json", TEXT).orThrow();
    assertThat(document.plan())
        .isEqualTo(
            new Plan(
                true,
                Map.of("1", new Allocation(OFFER, 4, 1, 2), "2", new Allocation(OFFER, 2, 8, 1))));
    assertThat(document.plan().allocations().keySet()).containsExactly("1", "2");
    assertThat(document.chosen().rows().get("1").line()).isEqualTo(5);
    assertThat(document.chosen().rows().get("2").line()).isEqualTo(7);
    assertThat(document.saved()).isEmpty();
    assertThat(document.check(WORKLOAD)).isEmpty();
  }

  /** Such as Fluid; {@code plan -o} then writes null. */
  @Test
  void readsPlansWhosePolicyDecidesTheGpusPerTrial() {
    String undecided = TEXT.replace("\"gpus_per_trial\": 8", "\"gpus_per_trial\": null");
    PlanDocument document = PlanFile.parse("plan.json", undecided).orThrow();

    assertThat(document.plan().allocations().get("2")).isEqualTo(new Allocation(OFFER, 2, 1, 1));
  }

  @Test
  void readsAndWritesSpareInstances() {
    String spared = TEXT.replace("\"gpus_per_trial\": 8", "\"gpus_per_trial\": 8, \"spare\": 1");
    PlanDocument document = PlanFile.parse("plan.json", spared).orThrow();

    assertThat(document.plan().allocations().get("2").spare()).isEqualTo(1);
    assertThat(PlanFile.tree(document).toString()).containsOnlyOnce("spare=1");
  }

  @Test
  void choosesPlanOfTheFrontier() {
    String frontier =
        """
          "frontier": [
            {"choice": 1, "completion_s": 60, "hold": false, "plan": [
              {"group": "1", "offer": "aws/us-east-1/p3.8xlarge/on-demand", "instances": 7,
               "gpus_per_trial": 1}]}
          ],
        """;
    String text = TEXT.replaceFirst("\\{\n", "{\n" + frontier);
    PlanDocument document = PlanFile.parse("plan.json", text).orThrow();
    assertThat(document.plan()).isEqualTo(PlanFile.parse("plan.json", TEXT).orThrow().plan());
    assertThat(document.choose(1).plan())
        .isEqualTo(new Plan(false, Map.of("1", new Allocation(OFFER, 7, 1, 1))));
    assertThat(document.choose(1).chosen().rows().get("1").line()).isEqualTo(4);
    assertThat(PlanFile.parse("", written(document)).orThrow().choose(1).plan())
        .isEqualTo(document.choose(1).plan());
    assertThat(
            PlanFile.parse("plan.json", text.replace("\"instances\": 7", "\"instances\": 0"))
                .problems())
        .extracting(FileProblem::toString)
        .singleElement()
        .asString()
        .startsWith("plan.json:4: frontier[0].plan[0].instances: must be");
  }

  @Test
  void readsYamlToo() {
    String yaml =
        "plan:\n  - {group: \"1\", offer: local/a/on-demand, instances: 1, gpus_per_trial: 1}\n";
    PlanDocument document = PlanFile.parse("plan.yaml", yaml).orThrow();
    assertThat(document.plan().hold()).isFalse();
    assertThat(document.chosen().rows().get("1").line()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"hold\": true | \"hold\": 1 | 2: hold: must be true or false, not 1 (did you mean true?)",
        "\"group\": \"1\" | \"group\": 1 | 5: plan[0].group: must be a string, not 1 (put it in"
            + " quotes: \"1\")",
        "\"group\": \"2\" | \"group\": \"1\" | 7: plan[1]: group 1 is given twice, first on line 5",
        "\"instances\": 4 | \"instances\": 4.5 | 6: plan[0].instances: must be a whole number of at"
            + " least 1, not 4.5",
        "\"instances\": 4 | \"instances\": 0 | 6: plan[0].instances: must be a whole number of at"
            + " least 1, not 0",
        "\"instances\": 4, | `` | 5: plan[0].instances: is missing (whole number of at least 1)",
        "\"gpus_per_trial\": 1 | \"gpu_per_trial\": 1 | 5: plan[0].gpus_per_trial: is missing"
            + " (whole number, or null where a policy decides it)",
        "\"gpus_per_trial\": 1 | \"gpus_per_trial\": 2 | 6: plan[0].gpus_per_trial: must be 1 when"
            + " trials_per_gpu is 2",
        "\"trials\": 8 | \"trials\": \"8\" | 5: plan[0].trials: must be a whole number of at least"
            + " 1, not the string \"8\" (did you mean 8 without quotes?)"
      })
  void reportsProblemsOnTheirLines(String part, String replacement, String problem) {
    assertThat(TEXT).contains(part);
    String with = replacement == null ? "" : replacement;
    assertThat(PlanFile.parse("plan.json", TEXT.replace(part, with)).problems())
        .extracting(FileProblem::toString)
        .containsExactly("plan.json:" + problem);
  }

  @Test
  void rejectsEmptyPlans() {
    assertThat(PlanFile.parse("p", "{\"feasible\": false, \"plan\": []}").problems()).hasSize(1);
    assertThat(PlanFile.parse("p", "{}").problems())
        .extracting(FileProblem::field)
        .containsExactly("plan");
  }

  @Test
  void recognizesPlanFiles() {
    assertThat(PlanFile.isPlan(TEXT)).isTrue();
    assertThat(PlanFile.isPlan("plan: 3")).isTrue();
    assertThat(PlanFile.isPlan(ExampleJobFile.JOB)).isFalse();
    assertThat(PlanFile.isPlan("a: {plan: []}")).isFalse();
    assertThat(PlanFile.isPlan("")).isFalse();
    assertThat(PlanFile.isPlan("{{{")).isFalse();
  }

  @Test
  void comparesPlanWithWorkload() {
    Workload other =
        new Workload(
            List.of(
                new Chain("a", List.of(new TrialGroup("1", 9, 0, 3))),
                new Chain("b", List.of(new TrialGroup("b.1", 9, 0, 3)))));
    assertThat(PlanFile.parse("plan.json", TEXT).orThrow().check(other))
        .extracting(FileProblem::toString)
        .containsExactly(
            "plan.json:5: plan[0].trials: is 8, but the job's group 1 has 9",
            "plan.json:5: plan[0].units: is 1, but the job's group 1 has 3",
            "plan.json:7: plan[1].group: the job has no group 2 (the groups of the job are 1, b.1)",
            "plan.json:4: plan: has no group b.1");
  }

  @Test
  void reportsProblemsOnGroupLines() {
    PlanDocument document = PlanFile.parse("plan.json", TEXT).orThrow();
    assertThat(document.problem("2", "gpus_per_trial", "is too big", ""))
        .hasToString("plan.json:7: plan[1].gpus_per_trial: is too big");
    assertThat(document.problem("9", "instances", "is missing", "x"))
        .hasToString("plan.json:4: plan: group 9: is missing (x)");
  }

  @Test
  void writtenDocumentsReadBackEqual() {
    SavedPlan saved =
        new SavedPlan(
            Instant.parse("2026-11-20T06:00:00.5Z"),
            new SavedPlan.SavedJob("job.yaml", "/tmp/a b", ExampleJobFile.JOB),
            List.of("gpu: V100\n", "é😀\"\\"),
            "offers: []\n",
            new SavedPlan.Hashes("0a".repeat(32), "1b".repeat(32), "2c".repeat(32)),
            Map.of(OFFER, 12.24));
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    allocations.put("1", new Allocation(OFFER, 4, 1, 2));
    allocations.put("2", new Allocation(OFFER, 2, 8, 1));
    Plan plan = new Plan(true, allocations);
    String text = written(PlanDocument.of(plan, WORKLOAD, Optional.of(saved)));
    PlanDocument read = PlanFile.parse("plan.json", text).orThrow();
    assertThat(read.plan()).isEqualTo(plan);
    assertThat(read.saved()).contains(saved);
    assertThat(read.check(WORKLOAD)).isEmpty();
    assertThat(read.chosen().rows().get("2").trials()).contains(4);
    assertThat(written(read)).isEqualTo(text);
  }

  private static String written(PlanDocument document) {
    return JsonMapper.shared().writeValueAsString(PlanFile.tree(document));
  }
}
