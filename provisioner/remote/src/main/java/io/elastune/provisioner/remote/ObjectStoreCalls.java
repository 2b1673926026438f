package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.NetworkFailure;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Calls the XML interface of one bucket and maps its errors to cloud failures. */
final class ObjectStoreCalls {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final Duration UPLOAD = Duration.ofMinutes(10);
  private static final Duration VALIDITY = Duration.ofMinutes(5);
  private static final int ATTEMPTS = 3;
  private static final int OK = 200;
  private static final int MULTIPLE_CHOICES = 300;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final byte[] EMPTY = "<Empty/>".getBytes(StandardCharsets.US_ASCII);
  private static final Set<String> ABSENT = Set.of("NoSuchUpload", "NoSuchKey");

  private final String url;
  private final RequestSigner signer;
  private final Lazy<HttpClient> client =
      new Lazy<>(() -> HttpClient.newBuilder().connectTimeout(CONNECT).build());

  ObjectStoreCalls(String url, RequestSigner signer) {
    this.url = url;
    this.signer = signer;
  }

  private record Failure(int status, String code, String message) {
    boolean isTemporary() {
      return status >= SERVER_ERROR || status == TOO_MANY_REQUESTS;
    }
  }

  /** Makes a call. Temporary errors are retried. */
  XmlDocument call(String method, String name, SortedMap<String, String> query, String body) {
    return call(method, name, query, text(body), ANSWER, false);
  }

  /** Stores a file as an object. Temporary errors are retried. */
  void upload(String name, Path file) {
    try {
      BodyPublisher body = BodyPublishers.ofFile(file);
      var unused = call("PUT", name, new TreeMap<>(), body, UPLOAD, false);
    } catch (FileNotFoundException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a call that has no effect if the object or the upload does not exist. */
  void callIfPresent(String method, String name, SortedMap<String, String> query) {
    call(method, name, query, text(""), ANSWER, true);
  }

  private static BodyPublisher text(String body) {
    return body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
  }

  private XmlDocument call(
      String method,
      String name,
      SortedMap<String, String> query,
      BodyPublisher body,
      Duration limit,
      boolean mayBeAbsent) {
    for (int attempt = 1; ; attempt++) {
      try {
        HttpResponse<byte[]> response = send(method, name, query, body, limit);
        byte[] text = response.body().length == 0 ? EMPTY : response.body();
        boolean done = response.statusCode() >= OK && response.statusCode() < MULTIPLE_CHOICES;
        if (done) {
          XmlDocument answer = XmlDocument.parse(text);
          if (!answer.name().equals("Error")) { // S3 may detect an error after the status
            return answer;
          }
        }
        Failure failure = failure(response.statusCode(), text);
        if (mayBeAbsent && ABSENT.contains(failure.code())) {
          return XmlDocument.parse(EMPTY);
        }
        if (!failure.isTemporary() || attempt == ATTEMPTS) {
          throw new CloudException(explained(action(method), name, failure));
        }
      } catch (IOException e) {
        if (Thread.currentThread().isInterrupted()) { // the caller ends
          throw new CloudException(unclear(action(method), name, "interrupted"), e);
        }
        if (attempt == ATTEMPTS) {
          throw new CloudException(
              unclear(action(method), name, NetworkFailure.text(e, host(method, name, query))), e);
        }
      }
    }
  }

  private HttpResponse<byte[]> send(
      String method,
      String name,
      SortedMap<String, String> query,
      BodyPublisher body,
      Duration limit)
      throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(signer.sign(method, name, query, VALIDITY))
            .method(method, body)
            .timeout(limit)
            .build();
    try {
      return client.get().send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private String host(String method, String name, SortedMap<String, String> query) {
    String host = signer.sign(method, name, query, VALIDITY).getHost();
    return host == null ? url : host;
  }

  private static Failure failure(int status, byte[] text) {
    try {
      XmlDocument answer = XmlDocument.parse(text);
      return new Failure(status, answer.text("Code"), answer.text("Message"));
    } catch (IOException e) {
      return new Failure(status, "HTTP " + status, "");
    }
  }

  private static String action(String method) {
    return switch (method) {
      case "GET" -> "Listing";
      case "DELETE" -> "Deleting";
      default -> "Writing";
    };
  }

  private CloudFailure explained(String action, String name, Failure failure) {
    String code = failure.code().isEmpty() ? "HTTP " + failure.status() : failure.code();
    if (code.equals("NoSuchBucket")) {
      return new CloudFailure.Invalid("the bucket " + url + " does not exist [NoSuchBucket]");
    }
    String message = message(action, name) + failure.message().replaceAll("\\s+", " ");
    String coded = message + " [" + code + "]";
    return switch (failure.status()) {
      case UNAUTHORIZED, FORBIDDEN -> new CloudFailure.Permission(coded);
      case NOT_FOUND -> new CloudFailure.Invalid(coded);
      case TOO_MANY_REQUESTS -> new CloudFailure.Throttled(coded);
      default ->
          failure.isTemporary()
              ? new CloudFailure.UnknownOutcome(coded)
              : new CloudFailure.Invalid(coded);
    };
  }

  /** Returns the failure of a call without a clear answer. */
  CloudFailure unclear(String action, String name, String cause) {
    return new CloudFailure.UnknownOutcome(message(action, name) + cause);
  }

  private String message(String action, String name) {
    return action + " " + url + (name.isEmpty() ? "" : "/" + name) + " failed: ";
  }
}
