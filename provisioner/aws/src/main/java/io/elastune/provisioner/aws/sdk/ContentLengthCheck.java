package io.elastune.provisioner.aws.sdk;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Rejects responses that are shorter than their {@code Content-Length}. Java's HTTP client does not
 * detect this, and a truncated response would be parsed as an empty list.
 */
final class ContentLengthCheck implements ExecutionInterceptor {
  @Override
  public Optional<InputStream> modifyHttpResponseContent(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    OptionalLong length =
        context
            .httpResponse()
            .firstMatchingHeader("Content-Length")
            .filter(text -> text.matches("[0-9]{1,18}"))
            .stream()
            .mapToLong(Long::parseLong)
            .findFirst();
    return context
        .responseBody()
        .map(body -> length.isPresent() ? new LengthCheckedStream(body, length.getAsLong()) : body);
  }

  /** Fails at the end of a truncated stream. */
  private static final class LengthCheckedStream extends FilterInputStream {
    private long missing;

    LengthCheckedStream(InputStream body, long length) {
      super(body);
      missing = length;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count(read < 0 ? read : 1);
      return read;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
      int read = super.read(bytes, from, most);
      count(read);
      return read;
    }

    @Override
    public long skip(long most) throws IOException {
      long skipped = super.skip(most);
      missing -= skipped;
      return skipped;
    }

    /** Resetting the stream would count bytes twice. */
    @Override
    public boolean markSupported() {
      return false;
    }

    private void count(int read) throws IOException {
      if (read >= 0) {
        missing -= read;
      } else if (missing > 0) {
        throw new IOException("the response ended " + missing + " bytes too early");
      }
    }
  }
}
