package io.elastune.provisioner.aws.moto;

import io.elastune.provisioner.TestWait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs moto's server, {@code python3 -m moto.server}, in its own process. */
public final class Moto implements AutoCloseable {
  private static final int PATIENCE_S = 60;
  private static final String ENDPOINT = "aws.endpointUrl";
  private static final Map<String, String> SDK_PROPERTIES =
      Map.of("aws.accessKeyId", "test", "aws.secretAccessKey", "test", "aws.region", "us-east-1");

  /** Finds the packages without importing them, which would take seconds. */
  private static final String PROBE =
      "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, ('moto', 'flask'))))";

  private final int port;
  private final Process process;

  private Moto(int port, Process process) {
    this.port = port;
    this.process = process;
  }

  /** Returns whether Python and moto with its server are installed. */
  public static boolean isThere() {
    try {
      Process probe = started(PROBE);
      return probe.waitFor(PATIENCE_S, TimeUnit.SECONDS) && probe.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts the server and waits until it accepts connections. */
  public static Moto start() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Moto moto =
        new Moto(port, started("from moto.server import main; main(['-p', '" + port + "'])"));
    TestWait.until(moto::listens, "moto does not start");
    return moto;
  }

  /**
   * Starts the server with an empty bucket, and directs the AWS SDK of this JVM to it. Tests whose
   * classes run in parallel need the lock of the system properties.
   *
   * @throws IllegalStateException if another test has directed the SDK of this JVM elsewhere
   */
  public static Moto startWithBucket(String bucket) throws IOException, InterruptedException {
    String other = System.getProperty(ENDPOINT);
    if (other != null) {
      throw new IllegalStateException(
          "the AWS SDK of this JVM already sends its calls to " + other);
    }
    Moto moto = start();
    SDK_PROPERTIES.forEach(System::setProperty);
    System.setProperty(ENDPOINT, moto.url());
    HttpRequest create =
        HttpRequest.newBuilder(URI.create(moto.url() + "/" + bucket))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    HttpClient.newHttpClient().send(create, HttpResponse.BodyHandlers.discarding());
    return moto;
  }

  private static Process started(String program) throws IOException {
    return new ProcessBuilder(List.of("python3", "-c", program))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the endpoint of all services. */
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    if (url().equals(System.getProperty(ENDPOINT))) {
      System.clearProperty(ENDPOINT);
      SDK_PROPERTIES.keySet().forEach(System::clearProperty);
    }
    process.destroy();
    try {
      if (!process.waitFor(Duration.ofSeconds(5).toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
