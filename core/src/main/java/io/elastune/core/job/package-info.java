/** The validated job as the user wrote it. */
@NullMarked
package io.elastune.core.job;

import org.jspecify.annotations.NullMarked;
