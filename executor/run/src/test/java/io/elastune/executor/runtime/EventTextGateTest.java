package io.elastune.executor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.text.VisibleText;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudImpairment;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.SecretMask;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventTextGateTest {
  private static final Instant AT = Instant.parse("2026-11-20T06:00:00Z");
  private static final String SECRET = "s3cr3tTOKEN99";
  private static final String LOUD =
      "begin " + SECRET + "\u001b]0;x\u0007\u009b31m\u202e\u2028\ud800\n line " + "a".repeat(9000);

  private final EventTextGate gate = new EventTextGate(SecretMask.of(List.of(SECRET)), "val");

  /** Every event with text of a trial, a node or a cloud. */
  static List<RunEvent> loud() {
    return List.of(
        engine(new EngineEvent.Faulted("a", LOUD, AT)),
        engine(new EngineEvent.Ended("a", 1, OptionalInt.empty(), false, LOUD, AT)),
        engine(new EngineEvent.Reported("7-1-1", 1, Map.of(LOUD, 0.5), AT)),
        cloud(new CloudEvent.Refused("l", RefusalReason.CAPACITY, LOUD, AT)),
        cloud(new CloudEvent.LaunchFailed("l", Optional.empty(), LOUD, AT)),
        cloud(new CloudEvent.PreparationFailed("l", PreparationStep.SETUP, LOUD, AT)),
        cloud(new CloudEvent.Leaving("l", LOUD, AT)),
        cloud(new CloudEvent.Lost("l", LossReason.FAILED, LOUD, AT)),
        cloud(new CloudEvent.HealthChanged("c", CloudImpairment.DISK_LOW, true, LOUD, AT, AT)),
        new RunEvent.Configured(1, List.of(), LOUD, AT));
  }

  @ParameterizedTest
  @MethodSource("loud")
  void cleansEveryText(RunEvent event) {
    String passed = gate.pass(event).toString();

    assertThat(passed).contains("begin ***").doesNotContain(SECRET).hasSizeLessThan(8500);
    assertThat(VisibleText.firstInvisible(passed, "\n")).isEmpty();
  }

  @Test
  void keepsOrdinaryEvents() {
    List<RunEvent> events =
        List.of(
            engine(new EngineEvent.Reported("7-1-1", 1, Map.of("val/acc", 0.5), true, AT)),
            engine(new EngineEvent.Faulted("a", "exit 1; last lines:\n  x\n    y", AT)),
            engine(new EngineEvent.Ended("a", 0, OptionalInt.of(3), true, "", AT).withStart(AT)),
            new RunEvent.Ticked(AT));

    assertThat(events).allSatisfy(event -> assertThat(gate.pass(event)).containsExactly(event));
  }

  @Test
  void keepsNamesApart() {
    RunEvent passed =
        gate.pass(
                engine(
                    new EngineEvent.Reported(
                        "7-1-1", 1, Map.of("a\u202e", 1.0, "a\u202d", 2.0, "a", 3.0), AT)))
            .get(0);

    assertThat(metrics(passed))
        .containsOnly(Map.entry("a\\u202e", 1.0), Map.entry("a\\u202d", 2.0), Map.entry("a", 3.0));
  }

  @Test
  void limitsTheNumberOfMetrics() {
    Map<String, Double> many = new LinkedHashMap<>();
    IntStream.range(0, 1500).forEach(i -> many.put("m" + i, 1.0));
    many.put("val", 0.5);
    List<RunEvent> passed = gate.pass(engine(new EngineEvent.Reported("7-1-1", 1, many, AT)));

    assertThat(metrics(passed.get(0)))
        .hasSize(EventTextGate.MOST_METRICS)
        .containsEntry("val", 0.5);
    assertThat(passed.get(1).toString()).contains("reported 1501 metrics, of which 1000 are kept");
  }

  @Test
  void limitsTheJournal() {
    Map<String, Double> wide = new LinkedHashMap<>();
    IntStream.range(0, 900).forEach(i -> wide.put("m".repeat(190) + i, 1.0));
    wide.put("val", 0.5);
    int unit = 0;
    List<RunEvent> passed = List.of();
    while (passed.size() < 2 && unit < 1000) {
      unit++;
      passed = gate.pass(engine(new EngineEvent.Reported("7-1-1", unit, wide, AT)));
    }

    assertThat(passed.toString()).contains("only val is kept");
    assertThat(unit).isBetween(20, 60);
    assertThat(gate.pass(engine(new EngineEvent.Reported("7-1-1", unit, wide, AT))))
        .singleElement()
        .satisfies(event -> assertThat(metrics(event)).isEqualTo(Map.of("val", 0.5)));
    assertThat(metrics(gate.pass(engine(new EngineEvent.Reported("8-1-1", 1, wide, AT))).get(0)))
        .hasSize(901);
  }

  private static Map<String, Double> metrics(RunEvent event) {
    return ((EngineEvent.Reported) ((RunEvent.FromEngine) event).event()).metrics();
  }

  private static RunEvent engine(EngineEvent event) {
    return new RunEvent.FromEngine(event);
  }

  private static RunEvent cloud(CloudEvent event) {
    return new RunEvent.FromCloud(event);
  }
}
