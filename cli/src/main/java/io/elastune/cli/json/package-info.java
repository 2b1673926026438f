/** What programs read: the JSON documents of {@code design/cli.md}, key by key. */
@NullMarked
package io.elastune.cli.json;

import org.jspecify.annotations.NullMarked;
