package io.elastune.provisioner.gcp.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Google Cloud Storage with one bucket and the XML interface. It verifies the V4 signature, the
 * expiry and the {@code Content-MD5} of every request by its own implementation.
 */
public final class FakeStorage implements AutoCloseable {
  private static final Pattern SIGNATURE = Pattern.compile("&?X-Goog-Signature=([0-9a-f]+)");
  private static final Pattern PART =
      Pattern.compile("<PartNumber>(\\d+)</PartNumber>\\s*<ETag>\"(\\w+)\"</ETag>");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'");

  private final HttpServer server;
  private final String bucket;
  private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private final Map<String, Map<Integer, byte[]>> uploads = new ConcurrentSkipListMap<>();
  private final AtomicInteger expiredResponses = new AtomicInteger();
  private final AtomicInteger brokenResponses = new AtomicInteger();
  private final AtomicInteger lastUpload = new AtomicInteger();
  private final StoragePermissions permissions = new StoragePermissions();

  private FakeStorage(HttpServer server, String bucket) {
    this.server = server;
    this.bucket = bucket;
  }

  private static final class ErrorAnswer extends Exception {
    private static final long serialVersionUID = 1;
    private final int status;
    private final String code;

    ErrorAnswer(int status, String code) {
      super(code);
      this.status = status;
      this.code = code;
    }
  }

  /** Starts the server on a free port. */
  public static FakeStorage start() throws IOException {
    return start("ckpts");
  }

  /** Starts a server with a bucket of this name. */
  public static FakeStorage start(String bucket) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    FakeStorage storage = new FakeStorage(server, bucket);
    server.setExecutor(
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "fake-storage");
              thread.setDaemon(true);
              return thread;
            }));
    server.createContext("/", storage::handle);
    server.start();
    return storage;
  }

  /** Returns the URL of the service. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns the permissions of the caller, which are all at first. */
  public StoragePermissions permissions() {
    return permissions;
  }

  /** Returns the name of the only bucket. */
  public String bucket() {
    return bucket;
  }

  /** Returns the objects by name. */
  public Map<String, byte[]> objects() {
    return objects;
  }

  /** Returns the number of unfinished uploads. */
  public int unfinished() {
    return uploads.size();
  }

  /** Treats the URLs of the next {@code count} transfers of data as expired. */
  public void expireNext(int count) {
    expiredResponses.set(count);
  }

  /** Ends the connection of the next {@code count} transfers of data without a response. */
  public void breakNext(int count) {
    brokenResponses.set(count);
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    try (exchange) {
      try {
        verify(exchange);
        respond(exchange, 200, answer(exchange, body));
      } catch (ErrorAnswer e) {
        String text = "<?xml version='1.0'?><Error><Code>" + e.code + "</Code></Error>";
        respond(exchange, e.status, text.getBytes(StandardCharsets.UTF_8));
      } catch (GeneralSecurityException e) {
        throw new IOException(e);
      }
    }
  }

  private static void respond(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  private static void verify(HttpExchange exchange) throws ErrorAnswer, GeneralSecurityException {
    String raw = exchange.getRequestURI().getRawQuery();
    Matcher found = SIGNATURE.matcher(raw == null ? "" : raw);
    if (!found.find()) {
      throw new ErrorAnswer(403, "AccessDenied");
    }
    String canonicalQuery = found.replaceFirst("");
    Map<String, String> query = query(canonicalQuery);
    String time = query.getOrDefault("X-Goog-Date", "");
    String scope = time.substring(0, 8) + "/auto/storage/goog4_request";
    String canonical =
        exchange.getRequestMethod()
            + "\n"
            + exchange.getRequestURI().getRawPath()
            + "\n"
            + canonicalQuery
            + "\nhost:"
            + exchange.getRequestHeaders().getFirst("Host")
            + "\n\nhost\nUNSIGNED-PAYLOAD";
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(text(canonical));
    String text =
        "GOOG4-RSA-SHA256\n" + time + "\n" + scope + "\n" + HexFormat.of().formatHex(hash);
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(TestCredentials.publicKey());
    signature.update(text(text));
    boolean valid = signature.verify(HexFormat.of().parseHex(found.group(1)));
    boolean own = query.get("X-Goog-Credential").equals(TestCredentials.ACCOUNT + "/" + scope);
    if (!valid || !own) {
      throw new ErrorAnswer(403, "SignatureDoesNotMatch");
    }
    Instant signed = LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC);
    Duration validity = Duration.ofSeconds(Long.parseLong(query.get("X-Goog-Expires")));
    if (signed.plus(validity).isBefore(Instant.now())) {
      throw new ErrorAnswer(400, "ExpiredToken");
    }
  }

  private byte[] answer(HttpExchange exchange, byte[] body)
      throws ErrorAnswer, GeneralSecurityException, IOException {
    String path = exchange.getRequestURI().getPath();
    Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
    if (!(path + "/").startsWith("/" + bucket + "/")) {
      throw new ErrorAnswer(404, "NoSuchBucket");
    }
    String name = path.length() > bucket.length() + 2 ? path.substring(bucket.length() + 2) : "";
    if (!permissions.allow(exchange.getRequestMethod(), name, query, objects.containsKey(name))) {
      throw new ErrorAnswer(403, "AccessDenied");
    }
    if (name.isEmpty()) {
      return text(query.containsKey("uploads") ? unfinished(query) : list(query));
    }
    return switch (exchange.getRequestMethod()) {
      case "PUT" -> put(exchange, name, query, body);
      case "GET" -> get(name);
      case "POST" -> text(post(name, query, new String(body, StandardCharsets.UTF_8)));
      default -> delete(name, query);
    };
  }

  private byte[] put(HttpExchange exchange, String name, Map<String, String> query, byte[] body)
      throws ErrorAnswer, GeneralSecurityException, IOException {
    failTransfer();
    byte[] sum = MessageDigest.getInstance("MD5").digest(body);
    String given = exchange.getRequestHeaders().getFirst("Content-MD5");
    if (given != null && !given.equals(Base64.getEncoder().encodeToString(sum))) {
      throw new ErrorAnswer(400, "BadDigest");
    }
    if (query.containsKey("uploadId")) {
      upload(query).put(Integer.parseInt(query.get("partNumber")), body);
    } else {
      objects.put(name, body);
    }
    exchange.getResponseHeaders().set("ETag", '"' + HexFormat.of().formatHex(sum) + '"');
    return new byte[0];
  }

  private byte[] get(String name) throws ErrorAnswer, IOException {
    failTransfer();
    byte[] found = objects.get(name);
    if (found == null) {
      throw new ErrorAnswer(404, "NoSuchKey");
    }
    return found;
  }

  private void failTransfer() throws ErrorAnswer, IOException {
    if (expiredResponses.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new ErrorAnswer(400, "ExpiredToken");
    }
    if (brokenResponses.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new IOException("a fault of the test");
    }
  }

  private String post(String name, Map<String, String> query, String body)
      throws ErrorAnswer, GeneralSecurityException {
    if (query.containsKey("uploads")) {
      String id = name + "|" + lastUpload.incrementAndGet();
      uploads.put(id, new TreeMap<>());
      return "<InitiateMultipartUploadResult><UploadId>"
          + id
          + "</UploadId></InitiateMultipartUploadResult>";
    }
    Map<Integer, byte[]> parts = upload(query);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (Matcher next = PART.matcher(body); next.find(); ) {
      byte[] part = parts.getOrDefault(Integer.parseInt(next.group(1)), new byte[0]);
      byte[] sum = MessageDigest.getInstance("MD5").digest(part);
      if (!HexFormat.of().formatHex(sum).equals(next.group(2))) {
        throw new ErrorAnswer(400, "InvalidPart");
      }
      whole.writeBytes(part);
    }
    objects.put(name, whole.toByteArray());
    uploads.remove(query.get("uploadId"));
    return "<CompleteMultipartUploadResult/>";
  }

  private Map<Integer, byte[]> upload(Map<String, String> query) throws ErrorAnswer {
    Map<Integer, byte[]> found = uploads.get(query.get("uploadId"));
    if (found == null) {
      throw new ErrorAnswer(404, "NoSuchUpload");
    }
    return found;
  }

  private byte[] delete(String name, Map<String, String> query) throws ErrorAnswer {
    if (query.containsKey("uploadId")) {
      upload(query);
      uploads.remove(query.get("uploadId"));
    } else if (objects.remove(name) == null) {
      throw new ErrorAnswer(404, "NoSuchKey");
    }
    return new byte[0];
  }

  private static String md5(byte[] data) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(data));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Pages of two objects, so that a test needs few of them. */
  private String list(Map<String, String> query) {
    String after = query.getOrDefault("continuation-token", "");
    StringBuilder text = new StringBuilder("<ListBucketResult>");
    int[] found = {0};
    objects.forEach(
        (name, data) -> {
          if (name.startsWith(query.get("prefix")) && name.compareTo(after) > 0) {
            found[0]++;
            if (found[0] <= 2) {
              text.append("<Contents><Key>").append(name).append("</Key><Size>");
              text.append(data.length).append("</Size><ETag>\"").append(md5(data));
              text.append("\"</ETag></Contents>");
            }
            if (found[0] == 2) {
              text.append("<NextContinuationToken>").append(name);
              text.append("</NextContinuationToken>");
            }
          }
        });
    return text.append("<IsTruncated>").append(found[0] > 2).append("</IsTruncated>")
        + "</ListBucketResult>";
  }

  private String unfinished(Map<String, String> query) {
    StringBuilder text = new StringBuilder("<ListMultipartUploadsResult>");
    for (String id : uploads.keySet()) {
      String name = id.substring(0, id.indexOf('|'));
      if (name.startsWith(query.get("prefix"))) {
        text.append("<Upload><Key>").append(name).append("</Key><UploadId>");
        text.append(id).append("</UploadId></Upload>");
      }
    }
    return text + "</ListMultipartUploadsResult>";
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> found = new TreeMap<>();
    for (String pair : raw.split("&", -1)) {
      String[] sides = pair.split("=", 2);
      found.put(decode(sides[0]), sides.length > 1 ? decode(sides[1]) : "");
    }
    return found;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
