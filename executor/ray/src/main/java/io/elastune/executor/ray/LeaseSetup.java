package io.elastune.executor.ray;

import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.protocol.AttemptLog;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.process.LineSplitter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs the setup of a job on the node of a lease, once per version of the code, after that code has
 * arrived. The output gets into the setup's log while it runs, without the values of secrets.
 */
public final class LeaseSetup {
  private static final int NAME_DIGITS = 8;

  private final RayLink link;
  private final Executor files;
  private final LeaseCode code;
  private final List<Duration> pauses;

  /**
   * Creates the setups of one controller. Used on the event loop of its link only.
   *
   * @param files reads archives and writes logs
   */
  public LeaseSetup(RayLink link, Executor files, LeaseCode code) {
    this(link, files, code, SetupRetry.PAUSES);
  }

  /** Creates setups with other pauses between repetitions. */
  LeaseSetup(RayLink link, Executor files, LeaseCode code, List<Duration> pauses) {
    this.pauses = pauses;
    this.link = link;
    this.files = files;
    this.code = code;
  }

  /**
   * Runs a setup, again if it fails as {@link SetupRetry} decides, or continues to read one that an
   * earlier controller has started. The lease must have an agent, which the caller renews. If the
   * workdir of the setup is the copy in a {@link CodeSnapshot}, the setup runs in that code on the
   * node, and else in the folder of the same path.
   *
   * @return why the setup failed, with the last lines of its output; empty if it succeeded. Fails
   *     with a {@link io.elastune.executor.ray.link.LinkException} if the node does not answer
   */
  public CompletableFuture<Optional<PreparationFailure>> run(String lease, NodeSetup setup) {
    return CompletableFuture.supplyAsync(
            () -> CodeSnapshot.ofFolder(Path.of(setup.workdir())), files)
        .thenCompose(found -> link.onLoop(() -> provided(lease, found)))
        .thenCompose(
            version -> repeat(new Reading(lease, setup, version, new SetupRetry(pauses), 0)));
  }

  private CompletableFuture<Optional<PreparationFailure>> repeat(Reading reading) {
    return reading
        .next()
        .thenCompose(
            failure ->
                failure
                    .flatMap(some -> reading.retry.pause(some.message()))
                    .map(pause -> after(pause, reading::again).thenCompose(this::repeat))
                    .orElseGet(() -> CompletableFuture.completedFuture(failure)));
  }

  private <T> CompletableFuture<T> after(Duration pause, Supplier<T> task) {
    return CompletableFuture.supplyAsync(
        task, CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, files));
  }

  private CompletableFuture<String> provided(String lease, Optional<CodeSnapshot> found) {
    return found
        .map(snapshot -> code.provide(lease, snapshot))
        .orElseGet(() -> CompletableFuture.completedFuture(""));
  }

  /** Reads the output of one setup until its end. */
  private final class Reading {
    private final String lease;
    private final NodeSetup setup;
    private final String version;
    private final SetupRetry retry;
    private final int repetition;
    private final AttemptLog log;
    private final LineSplitter lines;
    private long offset;

    Reading(String lease, NodeSetup setup, String version, SetupRetry retry, int repetition) {
      this.lease = lease;
      this.setup = setup;
      this.version = version;
      this.retry = retry;
      this.repetition = repetition;
      Path path = Path.of(setup.log());
      offset = repetition == 0 && path.toFile().length() > 0 ? -1 : 0;
      log = new AttemptLog(path, setup.mask());
      lines = new LineSplitter((line, length, cut) -> log.line("", line, length, cut));
    }

    Reading again() {
      return new Reading(lease, setup, version, retry, repetition + 1);
    }

    CompletableFuture<Optional<PreparationFailure>> next() {
      Request request =
          Request.of("prepare", lease)
              .with("setup", name())
              .with("code", version)
              .with("cwd", setup.workdir())
              .with("command", setup.command())
              .with("offset", offset);
      Map<String, String> environment = setup.environment();
      environment.forEach(request.object("env")::put);
      return link.onLoop(() -> link.request(request)).thenComposeAsync(this::read, files);
    }

    private CompletableFuture<Optional<PreparationFailure>> read(Frame answer) {
      lines.feed(answer.bytes(), answer.bytes().length);
      offset = Math.max(0, offset) + answer.bytes().length;
      if (answer.ok().path("running").asBoolean(false)) {
        return next();
      }
      lines.finish();
      log.close();
      int exit = answer.ok().path("exit").asInt(1);
      return CompletableFuture.completedFuture(
          exit == 0
              ? Optional.empty()
              : Optional.of(failure(exit, answer.ok().path("message").asString(""))));
    }

    private PreparationFailure failure(int exit, String reason) {
      String tail = log.tail();
      String message =
          "exit "
              + exit
              + (reason.isEmpty() ? "" : ": " + setup.mask().mask(reason))
              + (tail.isEmpty() ? "" : "; last lines:\n" + tail);
      return new PreparationFailure(PreparationStep.ofExit(exit, PreparationStep.SETUP), message);
    }

    /** Another command, other code or a repetition is another setup. */
    private String name() {
      String text =
          version
              + "\0"
              + setup.command()
              + (version.isEmpty() ? setup.workdir() : "")
              + (repetition > 0 ? "\0" + repetition : "");
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash, 0, NAME_DIGITS);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }
  }
}
