package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.aws.fake.FakeAws;
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

/** Tests that commands that do not call AWS load no class of the AWS SDK. */
@Tag(Tier.NIGHTLY)
class AwsClassesIT {
  private static final String SDK = "software.amazon.awssdk";

  @TempDir private Path folder;
  private FakeAws aws;

  @BeforeEach
  void open() throws Exception {
    aws = new FakeAws(InstantSource.system());
  }

  @AfterEach
  void close() {
    aws.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--help", "offers --gpu A10G", "plan WORKED", "profiles list", "orphans --help"})
  void otherCommandsDoNotLoadSdk(String command) throws Exception {
    String worked =
        ExampleFiles.REPOSITORY.resolve("configs/examples/worked-example/job.yaml").toString();
    assertThat(loaded(command.replace("WORKED", worked))).doesNotContain(SDK);
  }

  @Test
  void commandThatCallsAwsLoadsSdk() throws Exception {
    assertThat(loaded("orphans --infra aws/us-east-1")).contains(SDK);
  }

  /** Returns the JVM's log of loaded classes. */
  private String loaded(String command) throws Exception {
    Path log = folder.resolve("classes.log");
    CloudCommand elastune = AwsCommand.withoutSettings(aws, folder);
    elastune.with("-Xlog:class+load:file=" + log).run(command.split(" ")).assertExit(0);
    String classes = Files.readString(log, StandardCharsets.ISO_8859_1);
    assertThat(classes).contains("io.elastune.cli.Main");
    return classes;
  }
}
