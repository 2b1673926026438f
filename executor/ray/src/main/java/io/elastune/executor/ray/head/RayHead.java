package io.elastune.executor.ray.head;

import io.elastune.core.files.PrivateFiles;
import io.elastune.core.files.PrivateFolder;
import io.elastune.core.random.RandomToken;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.process.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The head of a run's Ray cluster: a child process beside the controller. It is started again at
 * the same address when it ends, and a later controller of the run adopts it. It accepts only
 * processes with the run's token. Without a controller, it ends after the dead-man time.
 */
public final class RayHead implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RayHead.class);
  private static final int TOKEN_BYTES = 32;
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final int CONNECT_TIMEOUT_MS = 1000;
  private static final int POLL_MS = 100;
  private static final int TERM_S = 3;
  private static final Duration TOUCH_INTERVAL = Duration.ofSeconds(20);
  private static final Duration FIRST_DELAY = Duration.ofMillis(500);
  private static final Duration MAX_DELAY = Duration.ofSeconds(10);

  private final HeadSettings settings;
  private final InstantSource time;
  private final HeadProcess processes;
  private final EventLoop loop = new EventLoop("elastune-ray-head");
  private HeadState state;
  private Optional<ProcessHandle> guard = Optional.empty();
  private Duration delay = FIRST_DELAY;
  private volatile boolean closed;

  private RayHead(HeadSettings settings, InstantSource time, HeadState state) {
    this.settings = settings;
    this.time = time;
    this.state = state;
    processes = new HeadProcess(settings);
  }

  /**
   * Starts the head of a run, or adopts the one that an earlier controller has started. Blocks
   * until it accepts connections.
   *
   * @throws CloudException if it does not start
   */
  public static RayHead open(HeadSettings settings, InstantSource time) {
    try {
      var unused = PrivateFolder.open(settings.folder());
      createToken(settings.token());
      Optional<HeadState> known = HeadState.read(settings.state());
      HeadState state = known.isPresent() ? known.get() : fresh(settings);
      RayHead head = new RayHead(settings, time, state);
      head.touch();
      head.begin();
      return head;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the head of the Ray cluster", e);
    }
  }

  private static HeadState fresh(HeadSettings settings) throws IOException {
    int port = settings.port();
    if (port == 0) {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(settings.host()))) {
        port = free.getLocalPort();
      } catch (IOException e) {
        throw new CloudException(
            new CloudFailure.Invalid(
                "The head of the Ray cluster cannot listen on "
                    + settings.host()
                    + ": "
                    + e.getMessage()
                    + ". Nothing was rented. Set rented_nodes.head_address in clouds.yaml to an"
                    + " address of this machine that instances can reach"),
            e);
      }
    }
    return new HeadState(settings.host(), port, "", 0, Instant.EPOCH);
  }

  private static void createToken(Path file) throws IOException {
    if (Files.exists(file)) {
      return;
    }
    Path part = PrivateFiles.createFile(file.resolveSibling("token.part"));
    Files.writeString(part, RandomToken.next(TOKEN_BYTES));
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void begin() throws IOException {
    guard = processes.find(state);
    // A head that was found may be about to end, or may no longer answer: it is replaced.
    boolean adopted = guard.isPresent() && isListening();
    if (!adopted) {
      launch();
    }
    if (!adopted && !isListening()) {
      String reason = processes.endOfLog();
      end();
      throw new CloudException(
          new CloudFailure.Invalid(
              "The head of the Ray cluster did not start at "
                  + state.address()
                  + ": "
                  + reason
                  + ". No instance was requested. The complete output is in "
                  + settings.log()));
    }
    watch();
    loop.schedule(TOUCH_INTERVAL, this::renew);
  }

  private void launch() throws IOException {
    processes.kill(Optional.empty()); // what a head that was killed has left
    remove(state.temporary());
    // Ray's sockets are in this folder, and their paths must be short. A new head needs a new one.
    Path folder = PrivateFolder.createTemporary(Path.of("/tmp"), "er-");
    state = state.starting(folder);
    state.write(settings.state());
    ProcessHandle started = processes.start(state);
    guard = Optional.of(started);
    state = state.started(started);
    state.write(settings.state());
  }

  private boolean isListening() {
    CountDownLatch never = new CountDownLatch(1);
    Instant end = time.instant().plus(START_TIMEOUT);
    while (guard.filter(ProcessHandle::isAlive).isPresent() && time.instant().isBefore(end)) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(state.host(), state.port()), CONNECT_TIMEOUT_MS);
        return true;
      } catch (IOException e) {
        try {
          var unused = never.await(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
    }
    return false;
  }

  private void watch() {
    guard.ifPresent(
        process -> {
          var unused = process.onExit().thenRun(() -> loop.execute(this::ended));
        });
  }

  private void ended() {
    if (closed) {
      return;
    }
    LOG.warn("The head of the Ray cluster ended ({}); restarting it", processes.endOfLog());
    loop.schedule(delay, this::restart);
    delay = delay.multipliedBy(2).compareTo(MAX_DELAY) < 0 ? delay.multipliedBy(2) : MAX_DELAY;
  }

  private void restart() {
    if (closed) {
      return;
    }
    try {
      launch();
      watch();
    } catch (IOException e) {
      LOG.warn("The head of the Ray cluster cannot start: {}", e.toString());
      loop.schedule(delay, this::restart);
    }
  }

  private void renew() {
    if (!closed) {
      touch();
      loop.schedule(TOUCH_INTERVAL, this::renew);
      if (guard.filter(ProcessHandle::isAlive).isPresent()) {
        delay = FIRST_DELAY;
      }
    }
  }

  private void touch() {
    try {
      Path alive = PrivateFiles.createFile(settings.alive());
      Files.setLastModifiedTime(alive, FileTime.from(time.instant()));
    } catch (IOException e) {
      LOG.warn("Cannot renew the head of the Ray cluster: {}", e.toString());
    }
  }

  /** Returns the address that nodes connect to, {@code HOST:PORT}. */
  public String address() {
    return state.address();
  }

  /** Returns the address of this machine at which nodes reach the head. */
  public String host() {
    return state.host();
  }

  /**
   * Returns the address of the head whose files are in a folder.
   *
   * @throws IllegalStateException if no head was started
   */
  public static String addressIn(Path folder) {
    try {
      return HeadState.read(HeadSettings.state(folder))
          .map(HeadState::address)
          .orElseThrow(() -> new IllegalStateException("no head was started in " + folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the run's token, which joining nodes need. */
  public String readToken() {
    try {
      return Files.readString(settings.token());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Releases this object as the end of its controller would: the head continues. */
  void leave() {
    closed = true;
    loop.close();
  }

  /** Ends the head. A later one has the same address and token. */
  @Override
  public void close() {
    leave();
    end();
  }

  /** Removes address and token, which no node uses any longer. */
  public void forget() {
    for (Path file : List.of(settings.token(), settings.state(), settings.alive())) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        LOG.warn("Cannot remove {}: {}", file, e.toString());
      }
    }
  }

  private void end() {
    guard.ifPresent(
        process -> {
          process.destroy();
          try {
            var unused = process.onExit().get(TERM_S, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Killing the head of the Ray cluster");
          }
        });
    processes.kill(guard.filter(ProcessHandle::isAlive));
    remove(state.temporary());
  }

  private static void remove(String folder) {
    if (!folder.startsWith("/tmp/er-")) {
      return;
    }
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("Cannot remove {}: {}", folder, e.toString());
    }
  }
}
