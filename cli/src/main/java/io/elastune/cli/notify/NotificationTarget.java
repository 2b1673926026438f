package io.elastune.cli.notify;

import io.elastune.core.job.Notification;
import io.elastune.provisioner.NetworkFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A receiver of notifications. */
sealed interface NotificationTarget {
  /** The timeout of one delivery. */
  Duration TIMEOUT = Duration.ofSeconds(10);

  /** Delivers a message. Returns what failed, or an empty text on success. */
  String send(NotificationMessage notificationMessage) throws InterruptedException;

  /** Its name for messages. A webhook's address is a secret, so only its host is included. */
  String name();

  /** Creates a target; {@code secrets} are environment variables that are hidden from commands. */
  static NotificationTarget of(Notification notification, List<String> secrets) {
    return notification
        .webhook()
        .<NotificationTarget>map(address -> new Webhook(URI.create(address)))
        .orElseGet(() -> new ShellCommand(notification.command().orElseThrow(), secrets));
  }

  /** Posts the JSON to a URL. */
  record Webhook(URI address) implements NotificationTarget {
    private static final int GOOD_FROM = 200;
    private static final int GOOD_TO = 300;

    @Override
    public String name() {
      return "webhook at " + address.getHost();
    }

    @Override
    public String send(NotificationMessage notificationMessage) throws InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(address)
              .timeout(TIMEOUT)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(notificationMessage.json()))
              .build();
      try {
        int code =
            HttpClient.newBuilder()
                .connectTimeout(TIMEOUT)
                .build()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
        return code >= GOOD_FROM && code < GOOD_TO ? "" : "HTTP status " + code;
      } catch (IOException e) {
        return NetworkFailure.text(e, address.getHost());
      }
    }
  }

  /** Starts a shell command with the JSON on its standard input. */
  record ShellCommand(String command, List<String> secrets) implements NotificationTarget {
    public ShellCommand {
      secrets = List.copyOf(secrets);
    }

    @Override
    public String name() {
      return "command";
    }

    @Override
    public String send(NotificationMessage notificationMessage) throws InterruptedException {
      ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.redirectError(ProcessBuilder.Redirect.DISCARD);
      secrets.forEach(builder.environment()::remove);
      builder.environment().put("ELASTUNE_EVENT", notificationMessage.event());
      try {
        Process process = builder.start();
        try (var input = process.getOutputStream()) {
          input.write((notificationMessage.json() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
          // The command does not read its input. Its exit code shows whether it succeeded.
        }
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
          return "took more than " + TIMEOUT.toSeconds() + " s";
        }
        return process.exitValue() == 0 ? "" : "exit code " + process.exitValue();
      } catch (IOException e) {
        return "cannot be started";
      }
    }
  }
}
