package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that commands that do not call Google Cloud load no class of Google's library. */
@Tag(Tier.NIGHTLY)
class GcpClassesIT {
  private static final String SDK = "] com.google.";

  @TempDir private Path folder;
  private FakeGcp gcp;

  @BeforeEach
  void open() throws Exception {
    gcp = new FakeGcp(InstantSource.system());
  }

  @AfterEach
  void close() {
    gcp.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "offers --infra gcp/us-central1",
        "plan WORKED",
        "profiles list",
        "orphans --help"
      })
  void otherCommandsDoNotLoadLibrary(String command) throws Exception {
    String worked =
        ExampleFiles.REPOSITORY.resolve("configs/examples/worked-example/job.yaml").toString();
    assertThat(loaded(command.replace("WORKED", worked))).doesNotContain(SDK);
  }

  @Test
  void commandThatCallsGoogleCloudLoadsLibrary() throws Exception {
    assertThat(loaded("orphans --infra gcp/us-central1")).contains(SDK);
  }

  /** Returns the JVM's log of loaded classes. */
  private String loaded(String command) throws Exception {
    Path log = folder.resolve("classes.log");
    CloudCommand elastune = GcpCommand.withoutSettings(gcp, folder);
    elastune.with("-Xlog:class+load:file=" + log).run(command.split(" ")).assertExit(0);
    String classes = Files.readString(log, StandardCharsets.ISO_8859_1);
    assertThat(classes).contains("io.elastune.cli.Main");
    return classes;
  }
}
