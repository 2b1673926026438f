/** The trial protocol (docs/trial-protocol.md), as any engine speaks it. */
@NullMarked
package io.elastune.executor.protocol;

import org.jspecify.annotations.NullMarked;
