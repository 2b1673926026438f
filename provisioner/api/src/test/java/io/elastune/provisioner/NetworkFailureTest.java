package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Failures as Java's HTTP client reports them, and those of other libraries. */
class NetworkFailureTest {
  private static final String HOST = "bucket.example";

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private static String failure(String scheme, String host, int port) throws Exception {
    return failure(scheme, host, port, Duration.ofMinutes(1));
  }

  private static String failure(String scheme, String host, int port, Duration limit)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(scheme + "://" + host + ":" + port + "/x"))
            .timeout(limit)
            .build();
    try {
      var unused = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
      throw new AssertionError("it has answered");
    } catch (IOException e) {
      return NetworkFailure.text(e, HOST);
    }
  }

  @Test
  void refusedConnectionNamesHost() throws Exception {
    ServerSocket closed = server();
    closed.close();
    assertThat(failure("http", "127.0.0.1", closed.getLocalPort()))
        .isEqualTo(
            "bucket.example refused the connection; check the address, and that the service runs"
                + " there");
  }

  @Test
  void missingAddressNamesHost() throws Exception {
    assertThat(failure("http", "nowhere.invalid", 80))
        .startsWith("unknown host bucket.example; check the name");
    for (String message : List.of("ec2.example", "ec2.example: Name or service not known")) {
      assertThat(NetworkFailure.text(new UnknownHostException(message), HOST))
          .startsWith("unknown host ec2.example; check the name");
    }
  }

  @Test
  void silentServerNamesTimeLimit() throws Exception {
    try (ServerSocket silent = server()) {
      assertThat(failure("http", "127.0.0.1", silent.getLocalPort(), Duration.ofMillis(200)))
          .startsWith("bucket.example did not answer within the time limit; check the network");
    }
    assertThat(NetworkFailure.text(new SocketTimeoutException("Read timed out"), HOST))
        .startsWith("bucket.example did not answer within the time limit");
    assertThat(NetworkFailure.text(new ConnectException("Connection timed out"), HOST))
        .startsWith("bucket.example did not answer within the time limit");
  }

  /** A proxy may answer without TLS. */
  @Test
  void failedHandshakeNamesClockAndCertificate() throws Exception {
    try (ServerSocket plain = server()) {
      answer(plain, "HTTP/1.1 400 Bad Request\r\n\r\n");
      assertThat(failure("https", "127.0.0.1", plain.getLocalPort()))
          .startsWith("TLS with bucket.example failed: ")
          .contains("clock", "certificate");
    }
    assertThat(NetworkFailure.text(new SSLHandshakeException("PKIX path"), HOST))
        .startsWith("TLS with bucket.example failed: PKIX path; check the clock");
  }

  @Test
  void connectionThatWasCutIsNamed() throws Exception {
    try (ServerSocket ends = server()) {
      answer(ends, "");
      assertThat(failure("http", "127.0.0.1", ends.getLocalPort()))
          .startsWith("the connection to bucket.example was cut; check the network connection");
    }
    assertThat(NetworkFailure.text(new SocketException("Connection reset"), HOST))
        .startsWith("the connection to bucket.example was cut");
  }

  /** Answers each connection until the server is closed: the client may repeat its request. */
  private static void answer(ServerSocket server, String text) {
    Thread thread =
        new Thread(
            () -> {
              while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                  var unused = client.getInputStream().read();
                  client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                  // the client has gone, or the server is closed
                }
              }
            },
            "answers");
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void missingRouteIsNamed() {
    for (IOException failure :
        List.of(
            new NoRouteToHostException("No route to host"),
            new ConnectException("Network is unreachable"))) {
      assertThat(NetworkFailure.text(failure, HOST))
          .startsWith("bucket.example cannot be reached; check the network connection");
    }
  }

  @Test
  void causesOfOtherExceptionsAreFound() {
    Throwable wrapped = new IllegalStateException(new IOException(new UnknownHostException("x.y")));
    assertThat(NetworkFailure.find(wrapped, HOST)).get().asString().startsWith("unknown host x.y");
    assertThat(NetworkFailure.find(new IllegalStateException("other"), HOST)).isEmpty();
    assertThat(NetworkFailure.text(new IOException("odd"), HOST))
        .startsWith("the connection to bucket.example failed: odd; check the network");
    assertThat(NetworkFailure.text(new IOException(), HOST))
        .startsWith("the connection to bucket.example failed; check the network");
  }
}
