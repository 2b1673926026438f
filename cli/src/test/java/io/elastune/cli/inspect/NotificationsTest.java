package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.elastune.cli.notify.Notifier;
import io.elastune.core.job.Notification;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudImpairment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the notifications of a run to a webhook and to commands. */
@Execution(ExecutionMode.CONCURRENT) // mostly waiting
class NotificationsTest {
  private static final List<String> ALL =
      List.of(
          "started",
          "at_risk",
          "preempted",
          "warned",
          "cloud_health",
          "finished",
          "cleanup_failed");

  @TempDir Path folder;
  private final List<String> posted = new CopyOnWriteArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  @Test
  void webhookReceivesEventsInOrder() throws IOException {
    HttpServer server = server(0);
    try {
      run(List.of(webhook(server, ALL)), true);
    } finally {
      server.stop(0);
    }
    List<JsonNode> messages = posted.stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(messages.stream().map(message -> message.path("event").asString()))
        .containsExactly("started", "preempted", "finished");
    JsonNode last = messages.get(2);
    assertThat(last.path("run").asString()).isEqualTo("small-20261123-aaaa");
    assertThat(last.path("text").asString())
        .contains("small-20261123-aaaa: finished with exit code 0")
        .endsWith(" spent, best acc 0.43 (trial 4)");
    assertThat(last.path("spent_usd").asDouble()).isPositive();
    assertThat(warnings).isEmpty();
  }

  @Test
  void preemptionIsReportedOnceAtItsNotice() throws IOException {
    HttpServer server = server(0);
    try {
      List<Notification> targets = List.of(webhook(server, List.of("preempted")));
      run(targets, run -> run.until(8).notice(9).preempt(9));
    } finally {
      server.stop(0);
    }
    assertThat(posted).hasSize(1);
    assertThat(JsonMapper.shared().readTree(posted.get(0)).path("text").asString())
        .endsWith("the cloud is preempting instance small-20261123-aaaa-1");
  }

  @Test
  void impairmentsOfTheCloudAreReported() throws IOException {
    HttpServer server = server(0);
    try {
      List<Notification> targets = List.of(webhook(server, List.of("cloud_health")));
      Instant at = ScriptedRun.BEGAN.plusSeconds(9);
      CloudEvent expired =
          new CloudEvent.HealthChanged(
              "aws/us-east-1", CloudImpairment.LOGIN_EXPIRED, true, "ExpiredToken", at, at);
      run(targets, run -> run.until(8).cloud(expired));
    } finally {
      server.stop(0);
    }
    assertThat(posted).hasSize(1);
    JsonNode message = JsonMapper.shared().readTree(posted.get(0));
    assertThat(message.path("event").asString()).isEqualTo("cloud_health");
    assertThat(message.path("text").asString())
        .contains("aws/us-east-1: the login is not accepted since", "2 instances are billed");
  }

  @Test
  void retriesFailedDelivery() throws IOException {
    HttpServer server = server(2);
    try {
      run(List.of(webhook(server, List.of("finished"))), false);
    } finally {
      server.stop(0);
    }
    assertThat(posted).hasSize(3).allMatch(posted.get(0)::equals);
    assertThat(warnings).isEmpty();
  }

  @Test
  void unreachableWebhookDoesNotBlock() throws IOException {
    HttpServer server = server(0);
    Notification gone = webhook(server, List.of("finished"));
    server.stop(0);
    run(List.of(gone), false);

    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0))
        .contains("Notification 'finished' was not delivered to the webhook at 127.0.0.1")
        .doesNotContain("token");
  }

  @Test
  void commandReceivesMessageWithoutSecrets() throws IOException {
    Path out = folder.resolve("out");
    String command = "{ cat; echo \"$ELASTUNE_EVENT [$HOME]\"; } >> " + out;
    run(List.of(command(command, List.of("finished"))), false);

    List<String> lines = Files.readAllLines(out);
    assertThat(lines).hasSize(2);
    assertThat(JsonMapper.shared().readTree(lines.get(0)).path("event").asString())
        .isEqualTo("finished");
    // HOME serves as a secret of the job here, since every environment defines it.
    assertThat(lines.get(1)).isEqualTo("finished []");
    assertThat(warnings).isEmpty();
  }

  @Test
  void failingCommandIsReported() {
    run(List.of(command("exit 3", List.of("started"))), false);
    assertThat(warnings)
        .containsExactly("Notification 'started' was not delivered to the command: exit code 3");
  }

  private void run(List<Notification> targets, boolean preempted) {
    run(targets, run -> preempted ? run.until(8).preempt(9) : run);
  }

  private void run(List<Notification> targets, UnaryOperator<ScriptedRun> course) {
    try (ScriptedRun run =
        new ScriptedRun(folder.resolve("home"), "small-20261123-aaaa", SmallTestJob.meta())) {
      try (Notifier notifier =
          new Notifier(targets, List.of("HOME"), run.definition(), warnings::add)) {
        run.notifying(notifier);
        course.apply(run).toTheEnd();
      }
    }
  }

  private static Notification command(String command, List<String> on) {
    return new Notification(Optional.empty(), Optional.of(command), on);
  }

  private static Notification webhook(HttpServer server, List<String> on) {
    String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/token";
    return new Notification(Optional.of(address), Optional.empty(), on);
  }

  /** Rejects the first {@code refused} messages. */
  private HttpServer server(int refused) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    AtomicInteger count = new AtomicInteger();
    server.createContext(
        "/token",
        exchange -> {
          posted.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(count.getAndIncrement() < refused ? 503 : 204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }
}
