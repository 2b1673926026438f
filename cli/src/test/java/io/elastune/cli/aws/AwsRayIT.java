package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.cli.rented.SurvivedRun;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import io.elastune.provisioner.aws.moto.Moto;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Complete runs on AWS: a fake EC2 whose instances are processes that form a Ray cluster. */
@Order(1) // long, and mostly waiting
class AwsRayIT {
  private static final CloudRun RUN = AwsRunIT.RUN;
  private static final String BUCKET = "ckpts";

  @TempDir private Path folder;
  private FakeAws aws;
  private EmulatedNodes nodes;
  private CloudCommand elastune;

  @BeforeEach
  void open() throws Exception {
    String python = RayPythonForTests.find();
    aws = new FakeAws(InstantSource.system());
    aws.ec2().times(lease -> FakeTimes.millis(0, 0, 100));
    nodes = new EmulatedNodes(new Ec2Nodes(aws), folder.resolve("instances"));
    aws.ec2().console((id, userData) -> nodes.console(userData));
    elastune = RentedRayCheck.onRay(AwsCommand.in(aws, folder));
    Files.writeString(
        elastune.home().resolve("clouds.yaml"),
        AwsCommand.SETTINGS + RentedRayCheck.settings(python, folder.resolve("nodes")));
  }

  @AfterEach
  void close() throws Exception {
    if (nodes != null) {
      nodes.close();
      aws.close();
    }
  }

  /**
   * The console of types without Nitro is shown late, and the reports of nodes scroll out of it.
   */
  @Test
  @Tag(Tier.NIGHTLY)
  void survivesKilledControllerAndPreemption() throws Exception {
    aws.ec2().console((id, userData) -> "");
    check(survived(elastune, ""));
  }

  /** Checkpoints are stored in a bucket of moto's S3, an independent simulation. */
  @Test
  @Tag(Tier.NIGHTLY)
  void movesCheckpointsThroughBucket() throws Exception {
    Assumptions.assumeTrue(
        Moto.isThere(), "python3 -m moto.server is not installed (pip install 'moto[server]')");
    try (Moto moto = Moto.start()) {
      URI bucket = URI.create(moto.url() + "/" + BUCKET);
      assertThat(send(HttpRequest.newBuilder(bucket).PUT(BodyPublishers.noBody()))).isEmpty();
      CloudCommand stored = elastune.with(Map.of("AWS_ENDPOINT_URL_S3", moto.url()));

      SurvivedRun run = survived(stored, ", checkpoint: {store: s3://" + BUCKET + "/tuning}");

      check(run);
      String objects = send(HttpRequest.newBuilder(URI.create(bucket + "?list-type=2")));
      assertThat(objects).contains("<Key>tuning/" + run.lastCheckpoint() + "</Key>");
      assertThat(send(HttpRequest.newBuilder(URI.create(bucket + "?uploads"))))
          .doesNotContain("<Upload>");
      assertThat(run.folder().path().resolve("trials")).doesNotExist();
    }
  }

  private static String send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private SurvivedRun survived(CloudCommand command, String more) throws Exception {
    return SurvivedRun.execute(
        RUN, command, more, aws.ec2()::runningLeases, lease -> aws.ec2().interrupt(lease));
  }

  private void check(SurvivedRun run) throws Exception {
    run.check();
    RUN.checkBill(elastune, run.end(), aws.ec2().billedSeconds());
    RentedRayCheck.checkNothingIsLeft(elastune, run.end(), nodes);
  }

  /** A trial of two PyTorch workers on two instances, which connect through MASTER_ADDR. */
  @Test
  @Tag(Tier.NIGHTLY)
  void runsDistributedPyTorchJob() throws Exception {
    String python = System.getenv().getOrDefault("ELASTUNE_TORCH_PYTHON", "python3");
    Assumptions.assumeTrue(
        RayPythonForTests.has(python, "torch, sklearn"),
        "skipped: " + python + " lacks torch or scikit-learn; set ELASTUNE_TORCH_PYTHON");
    Path job =
        RUN.job()
            .with(
                "search",
                "{algorithm: random, trials: 1, metric: {name: test_acc, goal: maximize}, "
                    + "resource: {unit: epoch, max: 2}, space: {"
                    + "lr: {type: loguniform, low: 0.1, high: 0.11}, "
                    + "momentum: {type: uniform, low: 0.8, high: 0.81}, "
                    + "batch: {type: choice, values: [64]}, "
                    + "weight_decay: {type: loguniform, low: 1e-5, high: 1.1e-5}}}")
            .with(
                "trial",
                "{run: exec "
                    + python
                    + " train.py, gpus: 2, envs: {OMP_NUM_THREADS: \"1\", GLOO_SOCKET_IFNAME: lo}}")
            .profile("[{gpus: 2, seconds: 30}]")
            .write(folder.resolve("job"));
    for (String file : List.of("configs/pytorch-digits/train.py", "python/elastune_trial.py")) {
      Path source = ExampleFiles.REPOSITORY.resolve(file);
      Files.copy(source, job.resolveSibling(source.getFileName()));
    }
    CommandResult end = elastune.run("run", job.toString(), "--json", "-y").assertExit(0);

    RunFolder run = RunFolder.of(elastune.home(), end.run());
    try (RunReader journal = RunReader.open(run)) {
      assertThat(journal.leases()).hasSize(2);
      assertThat(journal.reports()).extracting(row -> row.unit()).containsExactly(1, 2);
    }
    assertThat(run.checkpoints(1).resolve("2/state.pt")).isNotEmptyFile();
    RUN.checkBill(elastune, end, aws.ec2().billedSeconds());
    RentedRayCheck.checkNothingIsLeft(elastune, end, nodes);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void shrinksAndLedgerMatchesBill() throws Exception {
    CommandResult run = RUN.execute(elastune).assertExit(0);
    assertThat(aws.ec2().runningLeases()).isEmpty();
    RUN.check(elastune, run, aws.ec2().billedSeconds());
    RentedRayCheck.checkNothingIsLeft(elastune, run, nodes);
  }
}
