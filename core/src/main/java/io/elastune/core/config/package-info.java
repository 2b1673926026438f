/**
 * Job, profile, offers and plan files: parses text into validated records and reports all problems.
 */
@NullMarked
package io.elastune.core.config;

import org.jspecify.annotations.NullMarked;
