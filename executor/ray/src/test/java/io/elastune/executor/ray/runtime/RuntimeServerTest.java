package io.elastune.executor.ray.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeServerTest {
  private static final int MOST_TRIES = 10;

  private static final String HOST = "127.0.0.1";
  private static final String PATH = "0123456789abcdef";

  @TempDir private Path folder;
  private Path file;
  private Optional<URI> elsewhere = Optional.empty();

  @BeforeEach
  void write() throws IOException {
    file = Files.write(folder.resolve("runtime.tar.gz"), new byte[300_000]);
  }

  private RuntimeServer open(int port) {
    return RuntimeServer.open(HOST, port, PATH, file, () -> elsewhere);
  }

  private static HttpResponse<byte[]> get(RuntimeServer server, String path) throws Exception {
    URI uri = URI.create("http://" + HOST + ":" + server.port() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());
  }

  @Test
  void sendsFileToThoseWhoKnowThePath() throws Exception {
    try (RuntimeServer server = open(0)) {
      HttpResponse<byte[]> answer = get(server, "/" + PATH);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(Files.readAllBytes(file));
      for (String other :
          new String[] {"/", "/" + PATH + "0", "/0123", "/" + PATH + "/../x", "/direct"}) {
        assertThat(get(server, other).statusCode()).as(other).isEqualTo(404);
      }
    }
  }

  @Test
  void redirectsToNewUrlOfEachRequest() throws Exception {
    try (RuntimeServer server = open(0)) {
      for (String signature : new String[] {"one", "two"}) {
        elsewhere =
            Optional.of(URI.create("https://bucket.example/runtime?signature=" + signature));
        HttpResponse<byte[]> answer = get(server, "/" + PATH);
        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location"))
            .contains("https://bucket.example/runtime?signature=" + signature);
        HttpResponse<byte[]> direct = get(server, "/" + PATH + "/direct");
        assertThat(direct.statusCode()).isEqualTo(200);
        assertThat(direct.body()).isEqualTo(Files.readAllBytes(file));
      }
    }
  }

  @Test
  void laterServerHasSamePort() throws Exception {
    boolean isSame = false;
    for (int i = 0; i < MOST_TRIES && !isSame; i++) { // another process may get the port in between
      RuntimeServer first = open(0);
      first.close();
      try (RuntimeServer second = open(first.port())) {
        isSame = second.port() == first.port();
        assertThat(get(second, "/" + PATH).statusCode()).isEqualTo(200);
      }
    }
    assertThat(isSame).isTrue();
  }

  @Test
  void usesOtherPortIfThatIsTaken() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        RuntimeServer server = open(other.getLocalPort())) {
      assertThat(server.port()).isNotEqualTo(other.getLocalPort());
      assertThat(get(server, "/" + PATH).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void requestThatIsNoneDoesNotStopIt() throws Exception {
    try (RuntimeServer server = open(0)) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.getOutputStream().write("nonsense\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 404");
      }
      new Socket(InetAddress.getLoopbackAddress(), server.port()).close();
      assertThat(get(server, "/" + PATH).statusCode()).isEqualTo(200);
    }
  }
}
