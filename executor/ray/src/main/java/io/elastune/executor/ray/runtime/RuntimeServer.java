package io.elastune.executor.ray.runtime;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one file over HTTP to those who know its path, which cannot be guessed, or redirects them
 * to a copy. Instances run this request before they have anything but a shell and curl.
 */
public final class RuntimeServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeServer.class);

  /** Added to the path by those who cannot use the copy. */
  static final String DIRECT = "/direct";

  private static final int BACKLOG = 1000;

  /** More instances wait for their turn, which leaves each transfer a useful bandwidth. */
  private static final int TRANSFERS = 32;

  private static final int TIMEOUT_MS = 60_000;
  private static final int LONGEST_HEADER = 100;

  private final ServerSocket socket;
  private final String path;
  private final Path file;
  private final Supplier<Optional<URI>> elsewhere;
  private final ExecutorService transfers;

  private RuntimeServer(
      ServerSocket socket, String path, Path file, Supplier<Optional<URI>> elsewhere) {
    this.socket = socket;
    this.path = path;
    this.file = file;
    this.elsewhere = elsewhere;
    transfers =
        Executors.newFixedThreadPool(
            TRANSFERS,
            task -> {
              Thread thread = new Thread(task, "elastune-runtime-transfer");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts a server.
   *
   * @param host the address of this machine that instances reach
   * @param port its port, such as that of an earlier controller; another one if that is in use
   * @param path the path of the file, without a slash
   * @param elsewhere returns a URL of the same file, to which requests are redirected, except those
   *     for {@link #DIRECT}; empty to send the file. Called for each request, so that a signed URL
   *     is new
   */
  public static RuntimeServer open(
      String host, int port, String path, Path file, Supplier<Optional<URI>> elsewhere) {
    try {
      RuntimeServer server = new RuntimeServer(bind(host, port), path, file, elsewhere);
      Thread thread = new Thread(server::accept, "elastune-runtime-server");
      thread.setDaemon(true);
      thread.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on " + host, e);
    }
  }

  private static ServerSocket bind(String host, int port) throws IOException {
    InetAddress address = InetAddress.getByName(host);
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    try {
      socket.bind(new InetSocketAddress(address, port), BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      if (port == 0) {
        throw e;
      }
      LOG.warn("Port {} of an earlier controller cannot be used: {}", port, e.getMessage());
      return new ServerSocket(0, BACKLOG, address);
    }
  }

  /** Returns its port. */
  public int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        transfers.execute(() -> answer(client));
      } catch (SocketException e) {
        LOG.debug("The server of the node runtime has ended: {}", e.toString());
      } catch (IOException | RuntimeException | Error e) { // the next instance needs it, too
        LOG.warn("Sending the node runtime to an instance failed: {}", e.toString());
      }
    }
  }

  private void answer(Socket client) {
    try (client) {
      client.setSoTimeout(TIMEOUT_MS);
      BufferedReader request =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
      String line = request.readLine();
      int lines = 0;
      for (String header = line; header != null && !header.isEmpty(); header = request.readLine()) {
        if (++lines > LONGEST_HEADER) {
          return;
        }
      }
      OutputStream answer = client.getOutputStream();
      boolean isDirect = isGet(line, path + DIRECT);
      if (!isDirect && !isGet(line, path)) {
        send(answer, "404 Not Found", "Content-Length: 0");
        return;
      }
      Optional<URI> other = isDirect ? Optional.empty() : elsewhere.get();
      if (other.isPresent()) {
        send(answer, "302 Found", "Location: " + other.get() + "\r\nContent-Length: 0");
      } else {
        send(answer, "200 OK", "Content-Length: " + Files.size(file));
        var unused = Files.copy(file, answer);
      }
    } catch (IOException e) {
      LOG.debug("Sending the node runtime was interrupted: {}", e.toString());
    }
  }

  private static boolean isGet(@Nullable String line, String path) {
    return line != null && line.startsWith("GET /" + path + " ");
  }

  private static void send(OutputStream answer, String status, String headers) throws IOException {
    String text = "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + headers + "\r\n\r\n";
    answer.write(text.getBytes(StandardCharsets.US_ASCII));
    answer.flush();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("Closing the server of the node runtime: {}", e.toString());
    }
    var unused = transfers.shutdownNow();
  }
}
