package io.elastune.core.config.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
  private static final List<String> WORDS =
      List.of("trials", "eta", "resource", "max_instances", "max_hourly_usd", "on-demand", "spot");

  @ParameterizedTest
  @CsvSource({
    "trails, trials",
    "Trials, trials",
    "trial, trials",
    "etta, eta",
    "ressource, resource",
    "resourse, resource",
    "max-instances, max_instances",
    "maxInstances, max_instances",
    "max_instance, max_instances",
    "on_demand, on-demand",
    "ondemand, on-demand",
    "spott, spot"
  })
  void findsSimilarNames(String word, String meant) {
    assertThat(NearestName.find(word, WORDS)).contains(meant);
    assertThat(NearestName.hint(word, WORDS)).isEqualTo("did you mean " + meant + "?");
  }

  @ParameterizedTest
  @CsvSource({"x", "color", "gpus", "budget", "''"})
  void suggestsNoDissimilarNames(String word) {
    assertThat(NearestName.find(word, WORDS)).isEmpty();
    assertThat(NearestName.hint(word, WORDS)).isEmpty();
  }

  @Test
  void handlesLongWordsQuickly() {
    assertThat(NearestName.find("x".repeat(1_000_000), WORDS)).isEmpty();
  }
}
