package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.config.Overrides;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.profiler.PlanValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests by what the plans are compared that decide what is measured. */
class HypotheticalPlansTest {
  @TempDir Path folder;

  private HypotheticalPlans plans(String price, String deadline, String prefer) throws IOException {
    Files.copy(ExampleFiles.WORKED.resolve("job.yaml"), folder.resolve("job.yaml"));
    Files.copy(ExampleFiles.WORKED.resolve("profile.yaml"), folder.resolve("profile.yaml"));
    String offers = Files.readString(ExampleFiles.WORKED.resolve("offers.yaml"));
    Files.writeString(
        folder.resolve("offers.yaml"),
        offers.replace("price: list", "price: " + price).replace("mean: 60", "mean: 1"));
    PrintStream none = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    CliEnvironment environment =
        new CliEnvironment(
            none,
            none,
            InputStream.nullInputStream(),
            Map.of("ELASTUNE_HOME", folder.toString()),
            folder,
            InstantSource.fixed(InProcessCli.NOW),
            false);
    Overrides overrides =
        Overrides.builder()
            .deadline(Optional.of(deadline))
            .prefer(prefer.isEmpty() ? Optional.empty() : Optional.of(prefer))
            .build();
    Inputs inputs = new InputsLoader(environment).load("job.yaml", overrides);
    for (String file : new String[] {"job.yaml", "profile.yaml", "offers.yaml"}) {
      Files.delete(folder.resolve(file));
    }
    return new HypotheticalPlans(inputs, ProfilingRun.known(inputs));
  }

  @Test
  void timeDecidesWhereTheFastestPlanIsPreferred() throws IOException {
    HypotheticalPlans cheapest = plans("list", "1h", "");
    HypotheticalPlans fastest = plans("notional", "1h", "");

    assertThat(cheapest.isTimed()).isFalse();
    assertThat(fastest.isTimed()).isTrue();
    assertThat(plans("notional", "1h", "cheapest").isTimed()).isFalse();
    assertThat(plans("list", "1h", "fastest").isTimed()).isTrue();
    PlanValue.Worth fast = fastest.present().orElseThrow();
    PlanValue.Worth cheap = cheapest.present().orElseThrow();
    assertThat(fast.completionS()).isLessThan(cheap.completionS());
    assertThat(fast.usd()).isGreaterThan(cheap.usd());
  }
}
