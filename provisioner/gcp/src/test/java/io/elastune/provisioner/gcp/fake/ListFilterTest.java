package io.elastune.provisioner.gcp.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ListFilterTest {
  private static final JsonNode VM =
      JsonMapper.shared().readTree("{\"name\": \"one\", \"labels\": {\"run\": \"a-b\"}}");

  @ParameterizedTest
  @CsvSource({
    "name = one, true",
    "name != one, false",
    "labels.run = \"a-b\", true",
    "labels.run:*, true",
    "labels.owner:*, false",
    "(labels.run = \"x\") OR (labels.run = \"a-b\"), true",
    "(name = one) AND (labels.run = \"x\"), false",
    "name eq \"o.*\", true",
    "name eq \"o\", false",
  })
  void supportsGoogleFilters(String filter, boolean passes) {
    assertThat(ListFilter.passes(VM, filter)).isEqualTo(passes);
  }

  @Test
  void rejectsInvalidFilter() {
    assertThatThrownBy(() -> ListFilter.passes(VM, "name one")).isInstanceOf(ApiError.class);
  }
}
