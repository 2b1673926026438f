/** What commands do: load through {@code wiring}, decide, and show on screens or as JSON. */
@NullMarked
package io.elastune.cli.action;

import org.jspecify.annotations.NullMarked;
