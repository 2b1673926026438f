package io.elastune.executor.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.NullValue;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.job.TrainingResource;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.search.Configurations;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrialFileTest {
  @Test
  void writesNullsAndLists() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("clip", new Dimension.Choice(List.of(NullValue.NULL)));
    space.put("layers", new Dimension.Constant(List.of(64L, NullValue.NULL), Condition.ALWAYS));
    Search search =
        Search.builder()
            .algorithm(Algorithm.RANDOM)
            .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
            .trials(1)
            .eta(2)
            .resource(new TrainingResource("epoch", 1, 4))
            .space(space)
            .seed(1)
            .build();
    AttemptSpec spec =
        AttemptSpec.builder()
            .attempt("1-1-1")
            .run("run")
            .trial(1)
            .config(new Configurations(search).of(1))
            .unit("epoch")
            .from(0)
            .to(4)
            .seed(9)
            .command("true")
            .workdir(".")
            .checkpointDir("c")
            .log("log")
            .environment(Map.of())
            .keep(1)
            .workers(List.of(new AttemptSpec.Worker("a", "localhost", "0", 0)))
            .build();

    assertThat(new String(TrialFile.write(spec, "c", 0), StandardCharsets.UTF_8))
        .contains("\"config\":{\"clip\":null,\"layers\":[64,null]}");
  }
}
