package io.elastune.cli.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.TrialRow;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TrialConfigurationTest {
  @Test
  void showsNullsAndLists() {
    String stored = "{\"clip\":null,\"layers\":[64,null]}";
    TrialRow row =
        new TrialRow(
            1,
            "",
            stored,
            TrialState.Status.COMPLETED,
            4,
            OptionalDouble.of(0.5),
            4,
            0,
            1,
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            false);

    assertThat(ReportTables.configuration(row)).isEqualTo("clip null, layers [64, null]");
    assertThat(JsonMapper.shared().writeValueAsString(row.config())).isEqualTo(stored);
  }
}
